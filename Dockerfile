# Linux with everything that a student's ./lab needs, for other systems, as macOS and Windows. In the
# clone:
#
#   docker build --target student -t pagedlab -f Dockerfile .devcontainer
#   docker run -it --rm -v "${PWD}:/lab" -v pagedlab-build:/home/student/build pagedlab
#
# With --target checks it has what ./lab test and ./lab site need, too.
# ./lab test compares the packages with those of ./lab doctor.
FROM debian:bookworm AS student

RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      cmake \
      diffutils \
      g++ \
      libbenchmark-dev \
      libboost-dev \
      libcli11-dev \
      libcpp-httplib-dev \
      libedit-dev \
      libeigen3-dev \
      libgtest-dev \
      libpcre2-dev \
      libutf8proc-dev \
      libxxhash-dev \
      ninja-build \
      nlohmann-json3-dev \
      pkgconf \
      python3 \
      python3-jinja2 \
 && rm -rf /var/lib/apt/lists/*

# Not root: on Linux, what is written to the clone then belongs to its first user.
RUN useradd --create-home --uid 1000 student
USER student
# Why not in the clone: what another system has built there is of no use here.
RUN mkdir /home/student/build
ENV LAB_BUILD_DIR=/home/student/build
WORKDIR /lab
CMD ["bash"]

FROM student AS checks

# Why root: the checks start Chromium without its sandbox, which a container does not allow, only for
# root.
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ccache \
      chromium \
      chromium-driver \
      clang \
      fish \
      git \
      hunspell \
      hunspell-en-us \
      libclang-rt-dev \
      python3-jsonschema \
      python3-pexpect \
      python3-pytest \
      python3-pytest-xdist \
      python3-selenium \
      python3-venv \
      zsh \
 && rm -rf /var/lib/apt/lists/*
# Why: git refuses a clone that belongs to another user.
RUN git config --system --add safe.directory /lab
