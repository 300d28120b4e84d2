// What the guard does in a sandbox before a stranger's code comes, for x86-64: it becomes the program, with no more than
// so many processes and only the system calls that a compiler, or a program on the CPU device, makes. Root becomes a user
// that nobody else is, since the limit on processes does not bind root. A compiler that makes another call is told that
// it may not; a program is ended by SIGSYS.
#pragma once

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

[[noreturn]] static void give_up(const char* what) {
    perror(what);
    _exit(126);
}

// A user for this sandbox alone: processes are counted for all of a user's.
static void become_nobody_else() {
    unsigned int number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) give_up("guard: getrandom");
    const uid_t user = 0x10000000 + number % 0x10000000;
    if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
        give_up("guard: setresuid");
}

// The soft limit shows how processes are counted, the hard one is for good: where all of a user's count (Linux before
// 5.14, or no namespace), and there are more already, there is no limit.
static void limit_processes(rlim_t most) {
    rlimit before;
    getrlimit(RLIMIT_NPROC, &before);
    if (before.rlim_max != RLIM_INFINITY && before.rlim_max <= most) return;
    const rlimit tried = {most, before.rlim_max}, wanted = {most, most};
    setrlimit(RLIMIT_NPROC, &tried);
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    setrlimit(RLIMIT_NPROC, child > 0 ? &wanted : &before);
}

// A filter of system calls (seccomp(2)): what is not allowed meets `otherwise`.
class Filter {
public:
    explicit Filter(unsigned int otherwise) : otherwise_(otherwise) {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
        answer(SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    }

    void allow(std::initializer_list<unsigned int> calls) {
        for (unsigned int call : calls) on(call, SECCOMP_RET_ALLOW);
    }
    // C's library then takes an older call.
    void is_absent(unsigned int call) { on(call, SECCOMP_RET_ERRNO | ENOSYS); }
    // Allowed where the argument has none of these bits.
    void allow_without(unsigned int call, int argument, unsigned int bits) {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
        load(offsetof(seccomp_data, args) + 8 * size_t(argument));
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
        answer(otherwise_);
        answer(SECCOMP_RET_ALLOW);
    }

    void install() {
        answer(otherwise_);
        const sock_fprog program = {size_, code_};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
            give_up("guard: seccomp");
    }

private:
    void add(unsigned int code, unsigned int value, unsigned char jump = 0, unsigned char other = 0) {
        if (size_ == sizeof code_ / sizeof *code_) give_up("guard: a filter is too long");
        code_[size_++] = {static_cast<unsigned short>(code), jump, other, value};
    }
    void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned int>(offset)); }
    void answer(unsigned int value) { add(BPF_RET | BPF_K, value); }
    void on(unsigned int call, unsigned int value) {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
        answer(value);
    }

    const unsigned int otherwise_;
    sock_filter code_[512];
    unsigned short size_ = 0;
};

static void filter_calls(bool is_compiler) {
    Filter filter(is_compiler ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS);
    filter.allow({SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_openat, SYS_open, SYS_fstat,
                  SYS_stat, SYS_lstat, SYS_newfstatat, SYS_access, SYS_faccessat, SYS_readlink, SYS_fcntl, SYS_dup, SYS_dup2});
    filter.allow({SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk});
    filter.allow({SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_tgkill, SYS_futex});
    filter.allow({SYS_execve, SYS_wait4, SYS_exit, SYS_exit_group, SYS_getpid, SYS_gettid, SYS_getppid, SYS_prctl, SYS_arch_prctl,
                  SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_prlimit64, SYS_getrlimit, SYS_setrlimit, SYS_getrusage});
    filter.allow({SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_time, SYS_clock_nanosleep, SYS_nanosleep,
                  SYS_getrandom, SYS_uname, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_sched_yield,
                  SYS_sched_getaffinity, SYS_sysinfo, SYS_times});
    // Whether a file is a terminal is all that either asks for.
    filter.allow_without(SYS_ioctl, 1, ~static_cast<unsigned int>(TCGETS));
    filter.is_absent(SYS_clone3);
    filter.is_absent(SYS_statx);
    const unsigned int namespaces =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE;
    if (is_compiler) {
        filter.allow({SYS_vfork, SYS_fork, SYS_pipe, SYS_pipe2, SYS_dup3, SYS_getcwd, SYS_getdents64, SYS_unlink, SYS_unlinkat,
                      SYS_rename, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_fchmod, SYS_umask, SYS_ftruncate, SYS_pwrite64, SYS_statfs,
                      SYS_fadvise64, SYS_poll, SYS_fchmodat, SYS_renameat, SYS_copy_file_range, SYS_sendfile});
        filter.allow_without(SYS_clone, 0, namespaces);
    } else {
        filter.allow_without(SYS_clone, 0, namespaces | CLONE_VM | CLONE_FILES);
    }
    filter.install();
}

[[noreturn]] static void start_inside(char** arguments) {
    if (geteuid() == 0) become_nobody_else();
    limit_processes(strtoull(arguments[3], nullptr, 10));
    filter_calls(!strcmp(arguments[2], "compiler"));
    execv(arguments[4], arguments + 4);
    perror(arguments[4]);
    _exit(127);
}
