// Kernels that run in processes of their own: for programs of which a part is a stranger's (a candidate).
//
// Device memory is shared between the processes. All else that a kernel changes is its process's own copy, so
// that it hands nothing to the host; and the host cannot look into device memory. So a candidate's results can
// only come from its kernels.
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "device.h"

// A candidate's variables, in a section of their own (weft.runs.candidate); absent in other programs.
extern "C" unsigned char __start_weft_candidate[] __attribute__((weak));
extern "C" unsigned char __stop_weft_candidate[] __attribute__((weak));

namespace weft_cpu {
namespace {

constexpr int kKernelDone = 64;  // exit status of a process whose kernel has come to its end

// Variables that the host and its kernels have a copy each of.
struct Copied {
    Piece host;
    unsigned char* device;  // shared between the processes; null if there are none

    bool holds(const void* address) const {
        return device && address >= host.start && address < host.start + host.bytes;
    }
};

Copied variables, constants;

bool is_variable(const void* address) { return variables.holds(address) || constants.holds(address); }

Copied copied(Piece host) {
    if (host.bytes == 0) return {host, nullptr};
    void* copy = mmap(nullptr, host.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) stop(kCudaError, "no memory for the device's variables");
    memcpy(copy, host.start, host.bytes);
    return {host, static_cast<unsigned char*>(copy)};
}

constexpr size_t kMostToHost = 16384;  // of bytes, as flags and partial sums are

// Ends the program if a candidate may not copy so.
void require_allowed_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    const auto is_own = [](const void* p) {
        return is_variable(p) || is_owned_by(Owner::kCandidate, p) || is_owned_by(Owner::kCandidateManaged, p);
    };
    if (kind == cudaMemcpyDefault) {
        const bool to_device = is_device(to, 1), from_device = is_device(from, 1);
        kind = to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                         : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
    }
    if (kind == cudaMemcpyDeviceToHost) {
        if (!is_own(from)) stop(kCudaError, "a candidate copies from an array that is not its own to the host's memory");
        count_to_host(bytes);
    }
    if (kind == cudaMemcpyHostToDevice && !is_own(to) && is_device(to, 1)) {
        stop(kCudaError, "a candidate copies from the host's memory into an array that is not its own");
    }
}

bool read_apart() {
    const char* setting = getenv("WEFT_KERNEL_PROCESS");
    if (!setting || !strcmp(setting, "off")) return false;
    if (!strcmp(setting, "on")) return true;
    stop(kCudaError, "WEFT_KERNEL_PROCESS is '%s' (allowed: on, off)", setting);
}

double seconds_of(int whose) {
    rusage used;
    getrusage(whose, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * double(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// What is left of the program's CPU time, of which the system counts each process's alone. Ends the program, as the
// system would, if nothing is left.
rlim_t seconds_left() {
    rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) return RLIM_INFINITY;
    const auto used = static_cast<rlim_t>(seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN));
    if (used >= limit.rlim_cur) raise(SIGXCPU);
    return limit.rlim_cur - used;
}

void limit_seconds(rlim_t seconds) {
    rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

void count_to_host(size_t bytes) {
    static size_t counted = 0;
    if (bytes > kMostToHost || (counted += bytes) > kMostToHost)
        stop(kUnsupported, "more than %zu bytes that the host reads of the device's memory", kMostToHost);
}

bool kernels_run_apart() {
    static const bool apart = read_apart();
    return apart;
}

void keep_variables() {
    if (!kernels_run_apart()) return;
    if (__start_weft_candidate) {
        const auto bytes = static_cast<size_t>(__stop_weft_candidate - __start_weft_candidate);
        variables = copied({__start_weft_candidate, bytes});
    }
    constants = copied(constant_memory());
}

void load_variables() {
    if (variables.device) memcpy(variables.host.start, variables.device, variables.host.bytes);
    if (!constants.device) return;
    open_constants();
    memcpy(constants.host.start, constants.device, constants.host.bytes);
    close_constants();
}

void store_variables() {
    if (variables.device) memcpy(variables.device, variables.host.start, variables.host.bytes);
}

void* device_address(const void* address) {
    const auto* p = static_cast<const unsigned char*>(address);
    for (const Copied* one : {&variables, &constants}) {
        if (one->holds(p)) return one->device + (p - one->host.start);
    }
    return const_cast<unsigned char*>(p);
}

void run_apart(void (*body)(void*), void* context) {
    const rlim_t left = seconds_left();
    close_managed();
    fflush(nullptr);
    const pid_t host = getpid();
    const pid_t kernel = fork();
    if (kernel < 0) stop(kCudaError, "no process for a kernel");
    if (kernel == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != host) _exit(EXIT_FAILURE);
        limit_seconds(left);
        end_strangers_turn();
        open_allocations();
        load_variables();
        body(context);
        store_variables();
        fflush(stdout);
        _exit(kKernelDone);
    }
    int status = 0;
    waitpid(kernel, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kKernelDone) return;
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(EXIT_FAILURE);
}

}  // namespace weft_cpu

using namespace weft_cpu;

// What takes the place of functions of CUDA in a candidate. What its kernels make comes to its host code only in few
// bytes, and the host's data go only to what is the candidate's own, as tables do: its variables and allocations.
extern "C" {

cudaError_t weft_candidate_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    require_allowed_copy(to, from, bytes, kind);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t weft_candidate_memcpy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
    for (size_t row = 0; row < height; ++row) {
        require_allowed_copy(static_cast<unsigned char*>(to) + row * to_pitch,
                   static_cast<const unsigned char*>(from) + row * from_pitch, width, kind);
    }
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t weft_candidate_malloc(void** pointer, size_t bytes) {
    return allocate(pointer, bytes, Owner::kCandidate);
}

// Managed memory is closed to the host until it touches it, and then counts as copied to it.
cudaError_t weft_candidate_malloc_managed(void** pointer, size_t bytes, unsigned int) {
    return allocate(pointer, bytes, Owner::kCandidateManaged);
}

cudaError_t weft_candidate_malloc_pitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    if (!pitch) return fail(cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    return allocate(pointer, *pitch * height, Owner::kCandidate);
}

// The library's clocks in nanoseconds. In one of the orders hardly any time goes by: no result may hang on it.
long long weft_candidate_steady() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const double seconds = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    return static_cast<long long>(seconds * (order() == Order::kReverse ? 1e3 : 1e9));
}

long long weft_candidate_system() { return weft_candidate_steady(); }

long weft_candidate_clock() { return static_cast<long>(weft_candidate_steady() / (1'000'000'000 / CLOCKS_PER_SEC)); }
}
