#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call) check_cuda((call), __FILE__, __LINE__)

void check_cuda(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

__constant__ int month_lengths[12];

// Compute the day of the year of each date by adding up the months before. The leap day is found by the
// Gregorian rule.
__global__ void summed_day_of_year(const int* __restrict__ months, const int* __restrict__ days,
                                   const int* __restrict__ years, int* __restrict__ days_of_year, int n) {
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n) return;

    const int month = months[idx];
    const int day = days[idx];
    const int year = years[idx];
    const int leap_day = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 1 : 0;
    int total = day;
    for (int m = 1; m < month; ++m) {
        total += month_lengths[m - 1];
    }
    const int day_of_year = total + (month > 2 ? leap_day : 0);
    days_of_year[idx] = day_of_year;
}

cudaError_t launch_summed_day_of_year(const int* months, const int* days, const int* years, int* days_of_year,
                                      int n, cudaStream_t stream = nullptr) {
    if (n == 0) return cudaSuccess;
    // 256 divides the number of threads that a multiprocessor of any architecture holds.
    constexpr unsigned block = 256;
    const unsigned grid = (n + block - 1) / block;
    summed_day_of_year<<<grid, block, 0, stream>>>(months, days, years, days_of_year, n);
    return cudaGetLastError();
}

// Random bits: the PCG hash (Jarzynski and Olano, 2020).
unsigned pcg(unsigned x) {
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}

// An array of zeros on the device, and memory for it on the host.
template <typename T>
struct Array {
    const size_t count, bytes;
    T* const host = new T[count]();
    T* device = nullptr;

    explicit Array(size_t count) : count(count), bytes(count * sizeof(T)) {
        CUDA_CHECK(cudaMalloc(&device, bytes));
        CUDA_CHECK(cudaMemset(device, 0, bytes));
    }
    Array(const Array&) = delete;
    ~Array() {
        cudaFree(device);
        delete[] host;
    }
    void upload() { CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); }
    void download() { CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); }
};

void fill_integers(Array<int>& x, unsigned seed, int low, int high) {
    for (size_t i = 0; i < x.count; ++i) x.host[i] = low + int(pcg(seed + i) % unsigned(high - low));
    x.upload();
}

int main() {
    const int n = 1000;
    Array<int> months(n), days(n), years(n), days_of_year(n), month_lengths_(12);
    fill_integers(months, 0x2370168f, 1, 13);
    fill_integers(days, 0x9c9df0a2, 1, 29);
    fill_integers(years, 0x8a2e10de, 1900, 2101);
    const int month_lengths__values[] = {int(31), int(28), int(31), int(30), int(31), int(30),
                                         int(31), int(31), int(30), int(31), int(30), int(31)};
    for (size_t i = 0; i < month_lengths_.count; ++i) month_lengths_.host[i] = month_lengths__values[i];
    month_lengths_.upload();
    CUDA_CHECK(cudaMemcpyToSymbol(month_lengths, month_lengths_.host, sizeof(month_lengths)));
    CUDA_CHECK(launch_summed_day_of_year(months.device, days.device, years.device, days_of_year.device, n));
    days_of_year.download();
    double sum = 0.0;
    for (size_t i = 0; i < days_of_year.count; ++i) sum += days_of_year.host[i];
    std::printf("days_of_year: first %g, last %g, sum %.9g\n", double(days_of_year.host[0]),
                double(days_of_year.host[days_of_year.count - 1]), sum);
    return 0;
}
