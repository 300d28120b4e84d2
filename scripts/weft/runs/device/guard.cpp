// Runs one program within limits, and ends everything that it started.
//
//     guard REPORT_FD SECONDS CPU_SECONDS FILE_BYTES MEMORY_BYTES PROGRAM [ARGUMENTS]
//
// The program has a session of its own and is limited before it starts; MEMORY_BYTES of 0 is no limit. When
// it ends, or after SECONDS, every process that comes from it is killed, also one that has left its session:
// orphans become children of the guard, not of the system's first process. How the program ended is written
// to REPORT_FD, which the program does not have: "exit STATUS", "signal NUMBER" or "timeout".
//
//     guard inside compiler|program PROCESSES PROGRAM [ARGUMENTS]
//
// In a sandbox: becomes the program (inside.h).
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
#include "inside.h"
#endif

static void limit(int resource, rlim_t value, rlim_t room = 0) {
    rlimit now;
    getrlimit(static_cast<__rlimit_resource>(resource), &now);
    rlimit wanted = {value, value + room};
    // A lower limit that was there before stays.
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted.rlim_max) wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
    if (setrlimit(static_cast<__rlimit_resource>(resource), &wanted) != 0) {
        perror("guard: setrlimit");
        _exit(126);
    }
}

// Becomes the program. A guard that dies takes it along.
[[noreturn]] static void start(char** arguments, pid_t guard) {
    const rlim_t memory = strtoull(arguments[5], nullptr, 10);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard) _exit(126);
    // At the hard limit the system kills, which looks like a kill from outside; before it comes SIGXCPU.
    limit(RLIMIT_CPU, strtoull(arguments[3], nullptr, 10), 1);
    limit(RLIMIT_FSIZE, strtoull(arguments[4], nullptr, 10));
    limit(RLIMIT_CORE, 0);
    if (memory) limit(RLIMIT_AS, memory);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execv(arguments[6], arguments + 6);
    perror(arguments[6]);
    _exit(127);
}

// The parent of a process (proc(5), stat: "pid (name) state parent …", whose name may hold anything); 0 if it
// is gone.
static pid_t parent_of(const char* pid) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    const char* end = strrchr(text, ')');
    char state;
    int parent = 0;
    return end && sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

// Kills every child of this process that has not ended.
static void kill_children_once() {
    DIR* processes = opendir("/proc");
    if (!processes) return;
    while (const dirent* entry = readdir(processes)) {
        const int pid = atoi(entry->d_name);
        if (pid > 0 && parent_of(entry->d_name) == getpid()) kill(pid, SIGKILL);
    }
    closedir(processes);
}

// Kills the children of this process until there are none: the death of one makes its children ours. Most often the
// program was the only one, and has ended.
static void kill_children() {
    for (;;) {
        pid_t reaped;
        while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
        }
        if (reaped < 0 && errno == ECHILD) return;
        kill_children_once();
        const timespec moment = {0, 500000};
        nanosleep(&moment, nullptr);
    }
}

int main(int count, char** arguments) {
#ifdef __x86_64__
    if (count > 4 && !strcmp(arguments[1], "inside")) start_inside(arguments);
#endif
    if (count < 7) return 125;
    const int report = atoi(arguments[1]);
    fcntl(report, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    // The guard ends with who started it, and by then has ended what it started.
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    sigprocmask(SIG_BLOCK, &awaited, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);

    const pid_t guard = getpid();
    const pid_t program = fork();
    if (program < 0) return 125;
    if (program == 0) start(arguments, guard);

    timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = atof(arguments[2]);
    const double due = double(end.tv_sec) + 1e-9 * double(end.tv_nsec) + seconds;
    siginfo_t ended{};
    for (;;) {
        // The program is not reaped yet, so that its number is still its own.
        ended.si_pid = 0;
        waitid(P_PID, program, &ended, WEXITED | WNOHANG | WNOWAIT);
        if (ended.si_pid == program) break;
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double left = due - (double(now.tv_sec) + 1e-9 * double(now.tv_nsec));
        const timespec rest = {time_t(left > 0 ? left : 0), long(1e9 * (left - double(time_t(left))))};
        if (left <= 0 || sigtimedwait(&awaited, nullptr, &rest) == SIGTERM) break;
    }
    kill(-program, SIGKILL);
    kill_children();
    if (ended.si_pid != program) {
        dprintf(report, "timeout\n");
    } else if (ended.si_code == CLD_EXITED) {
        dprintf(report, "exit %d\n", ended.si_status);
    } else {
        dprintf(report, "signal %d\n", ended.si_status);
    }
    return 0;
}
