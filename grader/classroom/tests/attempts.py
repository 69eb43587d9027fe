"""What a submission must not do, each attempt in Python. Runs in the place of a test and says how
each attempt ended. The environment has KIT, a folder that a test may read, OUTSIDE, one that it
must not read, GRADER, the process of ./lab grade, and PARENT, the one above the test."""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket

KIT, OUTSIDE = os.environ.get("KIT", ""), os.environ.get("OUTSIDE", "")
GRADER, PARENT = int(os.environ.get("GRADER", 0)), int(os.environ.get("PARENT", 0))
READABLE, SECRET = f"{KIT}/readable/file", f"{OUTSIDE}/secret"
LIBC = ctypes.CDLL(None, use_errno=True)

# On x86-64 and on arm64.
NUMBERS = {"add_key": (248, 217), "bpf": (321, 280), "io_uring_setup": (425, 425),
           "ioprio_set": (251, 30), "keyctl": (250, 219), "kcmp": (312, 272),
           "mq_open": (240, 180), "msgget": (68, 186), "perf_event_open": (298, 241),
           "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "process_vm_readv": (310, 270),
           "ptrace": (101, 117), "quotactl": (179, 60), "semget": (64, 190), "setns": (308, 268),
           "shmget": (29, 194), "unshare": (272, 97), "userfaultfd": (323, 282)}
MACHINE = 0 if os.uname().machine == "x86_64" else 1


def call(name, *arguments):
    check(LIBC.syscall(NUMBERS[name][MACHINE], *arguments))


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def with_open(path, use):
    with open(path, "rb") as file:
        use(file.fileno())


def write(path, text="changed"):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def send(family, kind, address):
    with socket.socket(family, kind) as sender:
        sender.sendto(b"answer", address)


ATTEMPTS = {
    "write a file of the kit": lambda: write(READABLE),
    "truncate a file of the kit": lambda: os.truncate(READABLE, 0),
    "remove a file of the kit": lambda: os.remove(READABLE),
    "move a file of the kit": lambda: os.rename(READABLE, f"{KIT}/readable/moved"),
    "make a file in the kit": lambda: write(f"{KIT}/readable/new"),
    "make a folder in the kit": lambda: os.mkdir(f"{KIT}/readable/new"),
    "make a pipe in the kit": lambda: os.mkfifo(f"{KIT}/readable/new"),
    "make a link in the kit": lambda: os.symlink("/etc", f"{KIT}/readable/new"),
    "read a file outside": lambda: read(SECRET),
    "read a file outside, from the system's folder": lambda: read(f"/usr/..{SECRET}"),
    "list a folder outside": lambda: os.listdir(OUTSIDE),
    "write a file outside": lambda: write(SECRET),
    "make a file outside": lambda: write(f"{OUTSIDE}/new"),
    "remove a file outside": lambda: os.remove(SECRET),
    "link a file outside": lambda: os.link(SECRET, f"{OUTSIDE}/new"),
    "write into /tmp": lambda: write("/tmp/pagedlab-left-by-a-test"),
    "change a mode": lambda: os.chmod(SECRET, 0),
    "change the mode of a file of the kit": lambda: os.chmod(READABLE, 0),
    "change the mode of an open file": lambda: with_open(READABLE, lambda fd: os.chmod(fd, 0)),
    "change the mode of a folder": lambda: os.chmod(OUTSIDE, 0o777),
    "change an owner": lambda: os.chown(SECRET, os.getuid(), os.getgid()),
    "change the owner of an open file":
        lambda: with_open(READABLE, lambda fd: os.chown(fd, os.getuid(), os.getgid())),
    "change a date": lambda: os.utime(SECRET, (4e9, 4e9)),
    "change the date of an open file":
        lambda: with_open(READABLE, lambda fd: os.utime(fd, (4e9, 4e9))),
    "set an attribute": lambda: os.setxattr(SECRET, "user.note", b"1"),
    "set an attribute of a file of the kit": lambda: os.setxattr(READABLE, "user.note", b"1"),
    "set the flags of an open file":  # FS_IOC_SETFLAGS: no access times
        lambda: with_open(READABLE, lambda fd: fcntl.ioctl(fd, 0x40086602, b"\x80" + bytes(7))),
    "lock a file of the kit": lambda: with_open(READABLE, lambda fd: fcntl.flock(fd, 2)),
    "make System V memory": lambda: call("shmget", 7, 4096, 0o1666),
    "make System V semaphores": lambda: call("semget", 7, 1, 0o1666),
    "make a System V queue": lambda: call("msgget", 7, 0o1666),
    "make a POSIX queue": lambda: call("mq_open", b"left", os.O_CREAT | os.O_RDWR, 0o666, None),
    "make POSIX memory": lambda: write("/dev/shm/pagedlab-left-by-a-test"),
    "make a key": lambda: call("add_key", b"user", b"left", b"1", 1, -4),
    "read the keys": lambda: call("keyctl", 0, -4, 0),
    "open a UDP socket": lambda: send(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 9)),
    "open a UDP socket, IPv6": lambda: send(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 9)),
    "open a TCP socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    "open a raw socket":
        lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close(),
    "open a Unix socket": lambda: socket.socket(socket.AF_UNIX).close(),
    "listen at an abstract name": lambda: socket.socket(socket.AF_UNIX).bind("\0left"),
    "ask for the network's cards":
        lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "stop the grader": lambda: os.kill(GRADER, signal.SIGSTOP),
    "stop the process above": lambda: os.kill(PARENT, signal.SIGSTOP),
    "trace the grader": lambda: call("ptrace", 16, GRADER, 0, 0),
    "trace the process above": lambda: call("ptrace", 16, PARENT, 0, 0),
    "read the memory of the grader": lambda: call("process_vm_readv", GRADER, None, 0, None, 0, 0),
    "open the memory of the grader": lambda: read(f"/proc/{GRADER}/mem"),
    "read the variables of the grader": lambda: read(f"/proc/{GRADER}/environ"),
    "limit the grader": lambda: resource.prlimit(GRADER, resource.RLIMIT_CPU, (900, 900)),
    "take the grader's priority": lambda: os.setpriority(os.PRIO_PROCESS, GRADER, 19),
    "take the grader's cores": lambda: os.sched_setaffinity(GRADER, {0}),
    "take the grader's disk": lambda: call("ioprio_set", 1, GRADER, 3 << 13),
    "open the grader as a file": lambda: call("pidfd_open", GRADER, 0),
    "take a file of the grader": lambda: call("pidfd_getfd", 3, 0, 0),
    "compare with the grader": lambda: call("kcmp", GRADER, os.getpid(), 0, 0, 0),
    "raise a limit of its own":
        lambda: resource.prlimit(0, resource.RLIMIT_FSIZE, (2 << 20, 2 << 20)),
    "take a higher priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -1),
    "make a namespace of users": lambda: call("unshare", 0x10000000),
    "enter a namespace": lambda: with_open("/proc/self/ns/net", lambda fd: call("setns", fd, 0)),
    "mount a folder": lambda: check(LIBC.mount(b"none", OUTSIDE.encode(), b"tmpfs", 0, None)),
    "change the root": lambda: os.chroot("/usr"),
    "name the machine": lambda: check(LIBC.sethostname(os.uname().nodename.encode(), -1)),
    "load a program into the kernel": lambda: call("bpf", 0, None, 0),
    "count events of the machine": lambda: call("perf_event_open", None, 0, -1, -1, 0),
    "make a ring of calls": lambda: call("io_uring_setup", 1, bytes(256)),
    "handle page faults": lambda: call("userfaultfd", 0),
    "ask for quotas": lambda: call("quotactl", 0x80000100, None, 0, None),
    "write a setting of the kernel": lambda: write("/proc/sys/kernel/hostname", "taken"),
}

if __name__ == "__main__":
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
            print(f"{name}: done")
        except OSError as error:
            print(f"{name}: {errno.errorcode[error.errno]}")
