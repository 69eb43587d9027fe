# Linux with everything that ./lab needs, for other systems, as macOS and Windows. In the clone:
#
#   docker build -t pagedlab -f Dockerfile .devcontainer
#   docker run -it --rm -v "${PWD}:/lab" -v pagedlab-build:/home/student/build pagedlab
#
# ./lab test compares the packages with those of ./lab doctor.
FROM debian:bookworm

RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      chromium \
      clang \
      clang-format \
      cmake \
      diffutils \
      fish \
      g++ \
      hunspell \
      hunspell-en-us \
      libbenchmark-dev \
      libclang-rt-dev \
      libcli11-dev \
      libeigen3-dev \
      libgtest-dev \
      libxxhash-dev \
      ninja-build \
      nlohmann-json3-dev \
      python3 \
      python3-venv \
      zsh \
 && rm -rf /var/lib/apt/lists/*

# Not root: on Linux, what is written to the clone then belongs to its first user.
RUN useradd --create-home --uid 1000 student
USER student
# Why not in the clone: what another system has built there is of no use here.
RUN mkdir /home/student/build
ENV LAB_BUILD_DIR=/home/student/build
WORKDIR /lab
CMD ["bash"]
