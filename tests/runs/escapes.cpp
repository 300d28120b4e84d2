// Ways out of a sandbox: `escapes NAME` ends with status 0 if the way is open.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool can_write(const char* path) { return open(path, O_WRONLY | O_CREAT, 0600) >= 0; }
bool can_read(const char* path) { return open(path, O_RDONLY) >= 0; }

// Fills files of 64 MB until there is no more room; how many bytes there was room for.
long long filled(const std::string& folder) {
    static char block[1 << 20];
    std::memset(block, 1, sizeof block);
    long long bytes = 0;
    for (int number = 0; number < 20; ++number) {
        const int file = open((folder + "/" + std::to_string(number)).c_str(), O_WRONLY | O_CREAT, 0600);
        for (int i = 0; file >= 0 && i < 64 && write(file, block, sizeof block) == sizeof block; ++i) bytes += sizeof block;
    }
    return bytes;
}

int living_children() {
    int count = 0;
    for (; count < 500; ++count) {
        const pid_t child = fork();
        if (child < 0) break;
        if (child == 0) pause();
    }
    return count;
}

bool is_open(const std::string& way) {
    if (way == "nothing") return true;
    if (way == "time") {
        for (volatile int i = 0;; i = i + 1) {
        }
    }
    if (way == "to stay") {
        const int file = open("outputs", O_WRONLY);
        if (fork() == 0) {
            usleep(300000);
            _exit(write(file, "late", 4) != 4);
        }
        return true;
    }
    if (way == "outputs") return can_write("outputs");
    if (way == "another file") return can_write("file");
    if (way == "a file beside") return can_write("../file");
    if (way == "temporary files") return filled("/tmp") > 0;
    if (way == "shared memory") return can_write("/dev/shm/file");
    if (way == "a device") return can_write("/dev/file");
    if (way == "pseudo terminals") return can_read("/dev/ptmx");
    if (way == "a secret") return can_read("../secret");
    if (way == "users") return can_read("/etc/passwd");
    if (way == "processes") return can_read("/proc/self/stat");
    if (way == "home") return can_read("/root") || can_read("/home");
    if (way == "forks") return living_children() > 10;
    if (way == "a socket") return socket(AF_INET, SOCK_STREAM, 0) >= 0;
    if (way == "a pair of sockets") {
        int pair[2];
        return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
    }
    if (way == "to trace") return ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0;
    if (way == "memory of the parent") {
        char byte;
        iovec own{&byte, 1}, other{&byte, 1};
        return process_vm_readv(getppid(), &own, 1, &other, 1, 0) >= 0;
    }
    if (way == "to signal the parent") return kill(getppid(), 0) == 0;
    if (way == "a namespace") return unshare(CLONE_NEWUSER) == 0;
    if (way == "the calls of 32 bits") {
        long process = -1;
        asm volatile("int $0x80" : "=a"(process) : "a"(20L) : "memory");
        return process > 0;
    }
    if (way == "other calls") return syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || syscall(SYS_bpf, 0, nullptr, 0) >= 0;
    std::fprintf(stderr, "no way %s\n", way.c_str());
    std::exit(0);
}

}  // namespace

int main(int, char** arguments) { return is_open(arguments[1]) ? 0 : 1; }
