"""Takes a newcomer's way (journey.sh) through the kit on other systems, each a fresh tree, and
writes what was seen into the table of docs/getting-started.md. Needs root, util-linux and what a
recipe names; a tree takes 3 GB in build/systems.

    python3 tests/systems/systems.py                    the systems, and what each needs here
    python3 tests/systems/systems.py trixie sid         with each compiler
    python3 tests/systems/systems.py sid/g++            with one; as root, then as a user
    python3 tests/systems/systems.py --install fedora   what installs the packages there
"""

import datetime
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from table import rows_of, sentence, write_table

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build/systems"
JOURNEY = "sh tests/systems/journey.sh"
NEWCOMER = "/home/student"

# The libraries whose versions the table has, and what dpkg and pkg-config call them. Why dpkg
# first: GoogleTest 1.18.0 says to pkg-config that it is 1.17.0.
LIBRARIES = {"Eigen": ("libeigen3-dev", "eigen3"), "GoogleTest": ("libgtest-dev", "gtest"),
             "CLI11": ("libcli11-dev", "CLI11"), "xxHash": ("libxxhash-dev", "libxxhash")}
VERSION = "'${Version}'"


@dataclass
class System:
    title: str
    make: list  # makes the tree, whose folder is {tree}
    install: str  # installs the packages that follow
    packages: str = ""  # what ./lab does not install there
    compilers: dict = field(default_factory=lambda: dict(DEBIAN_COMPILERS))

    def missing_tool(self):
        return None if shutil.which(self.make[0]) else self.make[0]


@dataclass
class Compiler:
    cxx: str  # empty: as ./lab chooses
    packages: str = ""
    prepare: str = ""  # commands before the journey
    rows: str = ""  # rows of the journey as root; empty: all
    rows_of_user: str = "grade step"  # Why few: root has installed the packages, a user cannot.
    environment: str = ""


def libcxx(clang, packages):
    """GoogleTest is a library of the C++ library it was compiled with, so a second one is built."""
    return Compiler(
        f"{clang} -stdlib=libc++", f"{packages} libgtest-dev cmake ninja-build g++",
        "cmake -S /usr/src/googletest -B /tmp/googletest -GNinja -DBUILD_GMOCK=OFF "
        f"-DCMAKE_CXX_COMPILER={clang} -DCMAKE_CXX_FLAGS=-stdlib=libc++ "
        "-DCMAKE_INSTALL_PREFIX=/opt/libc++ && ninja -C /tmp/googletest install",
        "grade step solution play generate chat simt", environment="CMAKE_PREFIX_PATH=/opt/libc++")


DEBIAN_COMPILERS = {
    "g++": Compiler("", rows_of_user="grade step solution generate class"),
    "clang++": Compiler("clang++", "clang curl",
                        rows="grade step solution generate chat serve simt"),
    "libc++": libcxx("clang++", "clang libc++-dev libc++abi-dev"),
}
# Why another one: libc++ 14 has no ranges.
BOOKWORM_COMPILERS = DEBIAN_COMPILERS | {
    "libc++": libcxx("clang++-16", "clang-16 libc++-16-dev libc++abi-16-dev")}
APT = "apt-get update -q && apt-get install -y -q --no-install-recommends"


def debian(title, suite, compilers):
    make = ["debootstrap", "--variant=minbase", suite, "{tree}"]
    return System(title, make, APT, compilers=compilers)


def ubuntu(title, suite):
    # Why the last word: a debootstrap that is older than the suite has no script of its name.
    return System(title, ["debootstrap", "--variant=minbase", "--no-check-gpg",
                          "--components=main,universe", suite, "{tree}",
                          "http://archive.ubuntu.com/ubuntu", "gutsy"], APT)


SYSTEMS = {
    "bookworm": debian("Debian 12", "bookworm", BOOKWORM_COMPILERS),
    "trixie": debian("Debian 13", "trixie", DEBIAN_COMPILERS),
    "sid": debian("Debian unstable", "sid", DEBIAN_COMPILERS),
    "noble": ubuntu("Ubuntu 24.04", "noble"),
    "resolute": ubuntu("Ubuntu 26.04", "resolute"),
    "fedora": System(
        "Fedora 44",
        ["dnf", "-y", "--installroot={tree}", "--releasever=44", "--use-host-config",
         "--repofrompath=fedora,https://download.fedoraproject.org/pub/fedora/linux/releases/44/"
         "Everything/x86_64/os/", "--no-gpgchecks", "install", "bash", "coreutils", "dnf5"],
        "dnf -y install",
        "gcc-c++ cmake ninja-build cli11-devel json-devel gtest-devel xxhash-devel eigen3-devel "
        "google-benchmark-devel boost-devel cpp-httplib-devel pkgconf pcre2-devel utf8proc-devel "
        "python3 binutils diffutils tar gzip",
        {"g++": Compiler("")}),
    "arch": System(
        "Arch Linux", ["pacstrap", "-c", "{tree}", "base"], "pacman -Syu --noconfirm",
        "gcc cmake ninja cli11 nlohmann-json gtest xxhash eigen benchmark boost cpp-httplib "
        "pkgconf pcre2 libutf8proc python diffutils",
        {"g++": Compiler("")}),
    "alpine": System(
        "Alpine 3.23 (musl)",
        ["apk", "--root", "{tree}", "--initdb", "--allow-untrusted", "-X",
         "https://dl-cdn.alpinelinux.org/alpine/v3.23/main", "add", "alpine-base"],
        "apk add",
        "g++ cmake samurai cli11-dev nlohmann-json gtest-dev xxhash-dev eigen-dev benchmark-dev "
        "boost-dev cpp-httplib pkgconf pcre2-dev utf8proc-dev python3 binutils diffutils tar "
        "linux-headers",
        {"g++": Compiler("")}),
}

# Why those of this machine: its way to a package index may have one of its own.
CERTIFICATES, OUTSIDE_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt", "/etc/certificates.crt"

# Makes the tree the root of a process in namespaces of its own. Why not chroot: in one, the kernel
# gives no namespaces, and the kit's walls around a test need them.
ENTER = """
mount --bind "$0" "$0" && cd "$0" || exit 125
mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys || exit 125
mkdir -p .outside && pivot_root . .outside && umount -l /.outside && cd / && exec "$@"
"""


def home_of(user):
    return "/root" if user == "root" else NEWCOMER


def inside(tree, command, user="root", environment="", show=False):
    """Runs a command of sh in the tree, and returns exit code and output; shows it as it comes."""
    as_user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"] * (user != "root")
    argv = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private",
            "sh", "-c", ENTER, tree, "env", "-i", "LANG=C.UTF-8", f"HOME={home_of(user)}",
            "TERM=dumb", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            *(f"{name}={OUTSIDE_CERTIFICATES}" for name in ("PIP_CERT", "SSL_CERT_FILE")),
            *as_user, "sh", "-c", f"{environment} {command}"]
    with subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if show:
                print(line, end="", flush=True)
    return process.returncode, "".join(lines)


def make_tree(name):
    """Makes the tree of a system as it is when new; returns why it cannot be had."""
    system, tree = SYSTEMS[name], WORK / f"{name}-new"
    if (tree / "made").exists():
        return None
    if system.missing_tool():
        return f"needs {system.missing_tool()}"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    done = subprocess.run([word.format(tree=tree) for word in system.make], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        return "its packages are out of reach: " + done.stdout.strip().splitlines()[-1][:80]
    if (tree / "etc/apt").exists():  # Why: a mirror may be some days old.
        (tree / "etc/apt/apt.conf.d/99mirror").write_text('Acquire::Check-Valid-Until "false";\n')
    shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    shutil.copy(CERTIFICATES, tree / OUTSIDE_CERTIFICATES.lstrip("/"))
    (tree / "made").touch()
    return None


def add_kit(tree, home, owner):
    """A clone of what is committed, without its history."""
    kit = tree / home.lstrip("/") / "pagedlab"
    kit.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", ROOT, "archive", "HEAD"], check=True,
                             stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", kit], input=archive.stdout, check=True)
    subprocess.run(["chown", "-R", owner, kit.parent], check=True)


def versions(tree, compiler):
    """Compiler, CMake and libraries, as they call themselves."""
    def number(command):
        found = re.search(r"\d+\.\d+(\.\d+)?", inside(tree, command)[1])
        return found[0] if found else "?"
    name = (compiler.cxx or "g++").split()[0]
    words = f"{name} " + number(f"{name} --version | head -n 1")
    if "libc++" in compiler.cxx:
        words += ", libc++"
    libraries = ", ".join(
        f"{title} {number(f'dpkg-query -Wf {VERSION} {package} || pkg-config --modversion {name}')}"
        for title, (package, name) in LIBRARIES.items())
    return words, number("cmake --version"), libraries


def prepared_tree(name, label):
    """A copy of the new tree with a user, two clones and what the compiler needs; why not."""
    system, compiler = SYSTEMS[name], SYSTEMS[name].compilers[label]
    tree = WORK / f"{name}-{label}"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["cp", "-a", WORK / f"{name}-new", tree], check=True)
    subprocess.run(["chroot", tree, "useradd", "--create-home", "--uid", "1000", "student"],
                   check=True)
    add_kit(tree, "/root", "root:root")
    add_kit(tree, NEWCOMER, "1000:1000")
    packages = f"{system.packages} {compiler.packages}".strip()
    for command in [f"{system.install} {packages}" if packages else "", compiler.prepare]:
        code, output = inside(tree, command) if command else (0, "")
        if code != 0:
            return tree, output.strip()[-80:].replace("|", "/")
    return tree, None


def not_run(name, label, reason):
    return [[SYSTEMS[name].title, label, "", "", "", f"not run: {reason}", today()]]


def try_compiler(name, label):
    """Rows of the table: of root and of a user, in a tree with this compiler."""
    title, compiler = SYSTEMS[name].title, SYSTEMS[name].compilers[label]
    tree, reason = prepared_tree(name, label)
    if reason:
        return not_run(name, label, reason)
    environment = f"export JOURNEY_LOG=$HOME/journey {compiler.environment};"
    if compiler.cxx:
        environment = f'export CXX="{compiler.cxx}"; {environment}'
    table = []
    for user, rows in (("root", compiler.rows), ("student", compiler.rows_of_user)):
        print(f"{title}, {label}, as {user} ...", flush=True)
        command = f"cd ~/pagedlab && {JOURNEY} {rows}"
        seen = rows_of(*inside(tree, command, user, environment, show=True))
        report = tree / home_of(user).lstrip("/") / "journey/solution"
        table.append([title, *versions(tree, compiler), user.replace("student", "a user"),
                      sentence(seen, report.read_text() if report.exists() else ""), today()])
    return table


def today():
    return datetime.date.today().isoformat()


def main(names):
    if not names:
        for name, system in SYSTEMS.items():
            lack = system.missing_tool()
            print(f"{name:10} {system.title:20} {', '.join(system.compilers)}"
                  + (f"; needs {lack}" if lack else ""))
        return 0
    if names[0] == "--install":
        print(f"{SYSTEMS[names[1]].install} {SYSTEMS[names[1]].packages}")
        return 0
    chosen = [tuple(name.split("/")) for name in names]
    unknown = [name for name, *_ in chosen if name not in SYSTEMS]
    if unknown or os.getuid() != 0:
        print(f'there is no system "{unknown[0]}"; the systems are {", ".join(SYSTEMS)}' if unknown
              else "only root can make the tree of a system; run it with sudo", file=sys.stderr)
        return 2
    for name, *labels in chosen:
        labels = labels or SYSTEMS[name].compilers
        reason = make_tree(name)
        for label in labels:
            rows = not_run(name, label, reason) if reason else try_compiler(name, label)
            write_table(rows, [system.title for system in SYSTEMS.values()])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
