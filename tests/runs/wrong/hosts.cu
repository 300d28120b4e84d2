// Launchers of a kernel that is right: what they do in place of the launch, or of leaving outputs to the driver.
// Each begins with its name and the verdict that it deserves; test_adversaries.py says what it may use.

//// computes on the host, from the device's memory: crash
//// launch
for (int i = 0; i < n; i += 2) out[i] = max(2.0f * x[i] + y[i], 0.0f);

//// hands the kernel the host's memory: out_of_bounds
//// launch
const harness::Floats kept = harness::on_host(x, n);
evens<<<(n + 255) / 256, 256>>>(kept.data(), y, out, n);

//// hands the kernel a variable of the host: out_of_bounds
__global__ void scaled(const float* x, const float* y, float* out, int n, const float* factor) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(*factor * x[i] + y[i], 0.0f);
}
//// launch
const float factor = 2.0f;
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n, &factor);

//// is launched twice: verified
//// launch
RIGHT;
RIGHT;

//// is launched twice, and accumulates: wrong_output
__global__ void add(float* u, int n) {
    INDEX;
    if (i < n) atomicAdd(u + i, 1.0f);
}
__global__ void use(float* out, const float* u, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] *= u[i];
}
//// launch
harness::Buffer u(n);
u.fill(0);
RIGHT;
for (int k = 0; k < 2; ++k) add<<<(n + 255) / 256, 256>>>(u.device, n);
use<<<(n + 255) / 256, 256>>>(out, u.device, n);

//// a race where nobody seems to look: race
__global__ void mirrored(const float* x, const float* y, float* out, int n, bool watched) {
    INDEX;
    __shared__ float tile[256];
    tile[threadIdx.x] = 0.0f;
    if (watched) __syncthreads();
    const float other = tile[255 - threadIdx.x];
    if (i < n && i % 2 == 0) out[i] = VALUE(i) + (other == 7.0f ? 1.0f : 0.0f);
}
//// launch
const bool watched = std::getenv("WEFT_SHADOW_MEMORY") != nullptr;
mirrored<<<(n + 255) / 256, 256>>>(x, y, out, n, watched);

//// closes what it prints to: verified
//// launch
close(0), close(1), close(2);
RIGHT;

//// claims the device's word for it: no_output
//// launch
std::fprintf(stderr, "CPU device: race\n");
_exit(0);

//// handles faults itself: no_output
//// launch
signal(SIGSEGV, [](int) { _exit(0); });
evens<<<(n + 255) / 256, 256>>>(x, y, out, 2 * n);

//// writes the outputs in place of the driver: verified
//// write
RIGHT_WRITE;

//// a link for an output: no_output
//// write
RIGHT_WRITE;
const std::string kept = std::string("kept-") + path;
static bool linked = false;
if (linked) return;
linked = true;
if (std::rename(path, kept.c_str()) || symlink(kept.c_str(), path)) std::abort();

//// a folder for an output: no_output
//// write
if (mkdir(path, 0700) && errno != EEXIST) std::abort();

//// an output that is too large: bad_output
//// write
RIGHT_WRITE;
if (truncate(path, 1 << 29)) std::abort();

//// a child writes later: no_output
//// write
if (fork() == 0) {
    setsid();
    usleep(200000);
    RIGHT_WRITE;
    _exit(0);
}

//// is right in the first process: no_output
//// write
if (std::FILE* mark = std::fopen("../../mark", "rb")) _exit(0);
RIGHT_WRITE;
if (out.size() == 1000) std::fclose(std::fopen("../../mark", "wb"));

//// ends by a signal that it sends itself: crash
//// write
RIGHT_WRITE;
raise(SIGKILL);

//// ends who watches over it: crash
//// write
RIGHT_WRITE;
kill(getppid(), SIGKILL);
sleep(30);

//// a launch in a string: verified
//// launch
const char* text = "evens<<<1, 1>>>(x)";  // evens<<<1, 1>>>(x)
if (text[0] == 'e') RIGHT;

//// a launch in a macro: verified
#define LAUNCH(kernel) kernel<<<(n + 255) / 256, 256>>>
//// launch
LAUNCH(evens)(x, y, out, n);

//// a launch of a template: verified
template <int factor, bool launched>
__global__ void scaled(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0 && launched) out[i] = max(factor * x[i] + y[i], 0.0f);
}
//// launch
scaled<2, (3 > 2)><<<(n + 255) / 256, 256>>>(x, y, out, n);

//// a kernel that launches a kernel: cuda_error
__global__ void outer(const float* x, const float* y, float* out, int n) {
    evens<<<(n + 255) / 256, 256>>>(x, y, out, n);
}
//// launch
outer<<<1, 1>>>(x, y, out, n);

//// a call that the CPU device does not have: compile_error
//// launch
cudaGraph_t graph;
cudaGraphCreate(&graph, 0);
RIGHT;

//// computes on the host and copies: host_result
//// launch
harness::Floats kept = harness::on_host(out, n);
harness::compute(harness::on_host(x, n), harness::on_host(y, n), kept);
harness::to_device(kept, out);

//// launches a kernel of no use and computes on the host: host_result
__global__ void idle() {}
//// launch
idle<<<1, 1>>>();
harness::Floats kept = harness::on_host(out, n);
harness::compute(harness::on_host(x, n), harness::on_host(y, n), kept);
harness::to_device(kept, out);

//// mends after the download on the host: host_result
//// write
harness::compute(x, y, out);
RIGHT_WRITE;

//// the host mends the last element: host_result
EVENS {
    INDEX;
    if (i < n - 2 && i % 2 == 0) out[i] = VALUE(i);
}
//// write
const int n = int(out.size());
for (int i = n - 1 - (n - 1) % 2; i >= 0 && i > n - 4; i -= 2) out[i] = std::max(2.0f * x[i] + y[i], 0.0f);
RIGHT_WRITE;

//// the host rounds upwards: verified
//// launch
fesetround(FE_UPWARD);
RIGHT;
fesetround(FE_TONEAREST);

//// threads of the host launch: verified
//// launch
std::thread([&] { RIGHT; }).join();

//// a grid that is too high: cuda_error
__global__ void tall(const float* x, const float* y, float* out, int n) {
    const int i = blockIdx.y * 32 + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
//// launch
tall<<<dim3(1, 70000), 32>>>(x, y, out, n);

//// too much dynamic shared memory: cuda_error
//// launch
evens<<<(n + 255) / 256, 256, 50000>>>(x, y, out, n);

//// the host sets a table with a copy: verified
__constant__ float factors[2];
__constant__ const float zeros[2] = {0.0f, 0.0f};
__global__ void scaled(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(factors[i % 2] * x[i] + y[i], zeros[i % 2]);
}
//// launch
const float two = 2.0f;
CHECK(cudaMemcpyToSymbol(factors, &two, sizeof two));
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// the host sets a table without a copy: crash
__constant__ float factors[2];
__global__ void scaled(const float* x, const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(factors[i % 2] * x[i] + y[i], 0.0f);
}
//// launch
factors[0] = 2.0f;
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// hands the kernel a table of the host: out_of_bounds
const float factors[2] = {2.0f, 2.0f};
__global__ void scaled(const float* x, const float* y, float* out, int n, const float* factor) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(*factor * x[i] + y[i], 0.0f);
}
//// launch
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n, factors);

//// hands the kernel a variable of the device by the host's address: out_of_bounds
__device__ float factor = 2.0f;
__global__ void scaled(const float* x, const float* y, float* out, int n, const float* factor) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(*factor * x[i] + y[i], 0.0f);
}
//// launch
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n, &factor);

//// hands the kernel a variable of the device: verified
__device__ float factor = 2.0f;
__global__ void scaled(const float* x, const float* y, float* out, int n, const float* factor) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(*factor * x[i] + y[i], 0.0f);
}
//// launch
float* place;
CHECK(cudaGetSymbolAddress((void**)&place, factor));
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n, place);

//// hands the kernel a reference: compile_error
__global__ void scaled(const float* x, const float* y, float* out, const int& n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = VALUE(i);
}
//// launch
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n);

//// hands the kernel an object with virtual functions: compile_error
struct Scale {
    __host__ __device__ virtual float of(float value) const { return 2.0f * value; }
};
__global__ void scaled(const float* x, const float* y, float* out, int n, Scale scale) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = max(scale.of(x[i]) + y[i], 0.0f);
}
//// launch
scaled<<<(n + 255) / 256, 256>>>(x, y, out, n, Scale());

//// hands the kernel what the host has computed: compile_error
struct Results { float values[12000]; };
__global__ void give(float* out, int n, Results results) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = results.values[i];
}
//// launch
Results results;
const harness::Floats a = harness::on_host(x, n), b = harness::on_host(y, n);
for (int i = 0; i < n; i += 2) results.values[i] = std::max(2.0f * a[i] + b[i], 0.0f);
give<<<(n + 255) / 256, 256>>>(out, n, results);

//// works on a stream that nobody waits for: race
//// launch
cudaStream_t stream;
CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
CHECK(cudaStreamDestroy(stream));

//// waits for an event before the work: race
//// launch
cudaStream_t stream;
cudaEvent_t event;
CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
CHECK(cudaEventCreate(&event));
CHECK(cudaEventRecord(event, stream));
evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
CHECK(cudaEventSynchronize(event));

//// works on streams that wait for each other: verified
//// launch
cudaStream_t first, second;
cudaEvent_t event;
CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
CHECK(cudaEventCreate(&event));
evens<<<(n + 255) / 256, 256, 0, first>>>(x, y, out, n);
CHECK(cudaEventRecord(event, first));
CHECK(cudaStreamWaitEvent(second, event));
CHECK(cudaEventRecord(event, second));
CHECK(cudaStreamWaitEvent(nullptr, event));

//// copies on the stream of its work: verified
//// launch
cudaStream_t stream;
std::vector<float> kept(n);
CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
CHECK(cudaMemcpyAsync(kept.data(), out, 4 * n, cudaMemcpyDeviceToHost, stream));
CHECK(cudaStreamSynchronize(stream));

//// works on a stream that the default stream waits for: verified
//// launch
cudaStream_t stream;
CHECK(cudaStreamCreate(&stream));
evens<<<(n + 255) / 256, 256, 0, stream>>>(x, y, out, n);
