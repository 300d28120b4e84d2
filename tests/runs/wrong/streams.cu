// Launchers that work on several streams. Each begins with its name and the verdict that it deserves; test_adversaries.py
// says what it may use. PARTS: two kernels, one after the other, are `evens`; TWO_STREAMS: streams `a` and `b`.

//// a missing wait between two streams: race
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// one stream waits for the other: verified
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaEventRecord(event, a));
CHECK(cudaStreamWaitEvent(b, event));
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(b));

//// an event that is recorded too early: race
PARTS
//// launch
TWO_STREAMS
CHECK(cudaEventRecord(event, a));
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaStreamWaitEvent(b, event));
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// an event that is recorded after the wait: race
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaStreamWaitEvent(b, event));
CHECK(cudaEventRecord(event, a));
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// the host waits for the wrong stream: race
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaStreamSynchronize(a));
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(a));

//// reads what a copy has not brought yet: wrong_output
PARTS
//// launch
TWO_STREAMS
float* pinned;
CHECK(cudaMallocHost(&pinned, 4 * n));
for (int i = 0; i < n; ++i) pinned[i] = 0.0f;
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaMemcpyAsync(pinned, u, 4 * n, cudaMemcpyDeviceToHost, a));
const harness::Floats kept(pinned, pinned + n);
CHECK(cudaStreamSynchronize(a));
CHECK(cudaMemcpy(u, kept.data(), 4 * n, cudaMemcpyHostToDevice));
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(b));
CHECK(cudaFreeHost(pinned));

//// fills a pinned buffer anew that is still to be copied: wrong_output
PARTS
//// launch
TWO_STREAMS
float* pinned;
CHECK(cudaMallocHost(&pinned, 4 * n));
const harness::Floats kept = harness::on_host(x, n);
for (int i = 0; i < n; ++i) pinned[i] = 2.0f * kept[i];
CHECK(cudaMemcpyAsync(u, pinned, 4 * n, cudaMemcpyHostToDevice, a));
for (int i = 0; i < n; ++i) pinned[i] = 0.0f;
add<<<(n + 255) / 256, 256, 0, a>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(a));
CHECK(cudaFreeHost(pinned));

//// fills a buffer anew that is not pinned: verified
PARTS
//// launch
TWO_STREAMS
harness::Floats kept = harness::on_host(x, n);
for (int i = 0; i < n; ++i) kept[i] *= 2.0f;
CHECK(cudaMemcpyAsync(u, kept.data(), 4 * n, cudaMemcpyHostToDevice, a));
for (int i = 0; i < n; ++i) kept[i] = 0.0f;
add<<<(n + 255) / 256, 256, 0, a>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(a));

//// frees memory on a stream that waits for nobody: out_of_bounds
PARTS
//// launch
TWO_STREAMS
float* v;
CHECK(cudaMallocAsync(&v, 4 * n, a));
twice<<<(n + 255) / 256, 256, 0, a>>>(x, v, n);
add<<<(n + 255) / 256, 256, 0, a>>>(v, y, out, n);
CHECK(cudaFreeAsync(v, b));
CHECK(cudaDeviceSynchronize());

//// frees memory on the stream of its work: verified
PARTS
//// launch
TWO_STREAMS
float* v;
CHECK(cudaMallocAsync(&v, 4 * n, a));
CHECK(cudaMemsetAsync(v, 0, 4 * n, a));
twice<<<(n + 255) / 256, 256, 0, a>>>(x, v, n);
add<<<(n + 255) / 256, 256, 0, a>>>(v, y, out, n);
CHECK(cudaFreeAsync(v, a));
while (cudaStreamQuery(a) == cudaErrorNotReady) {}

//// does not wait for a stream that is not ready: race
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
cudaStreamQuery(a);
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// the default stream waits for streams that are not non-blocking, and they for it: verified
PARTS
//// launch
TWO_STREAMS
cudaStream_t c, d;
CHECK(cudaStreamCreate(&c));
CHECK(cudaStreamCreate(&d));
CHECK(cudaMemcpyAsync(u, x, 4 * n, cudaMemcpyDeviceToDevice, c));
twice<<<(n + 255) / 256, 256>>>(u, u, n);
add<<<(n + 255) / 256, 256, 0, d>>>(u, y, out, n);
CHECK(cudaStreamDestroy(c));
CHECK(cudaStreamDestroy(d));

//// the default stream does not wait for a non-blocking one: race
PARTS
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
add<<<(n + 255) / 256, 256>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// a stream clears what another one may use already: non_deterministic
PARTS
//// launch
TWO_STREAMS
CHECK(cudaMemsetAsync(u, 0, 4 * n, a));
twice<<<(n + 255) / 256, 256, 0, b>>>(x, u, n);
add<<<(n + 255) / 256, 256, 0, b>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// managed memory that the host reads too early: wrong_output
PARTS
//// launch
TWO_STREAMS
float* both;
CHECK(cudaMallocManaged(&both, 4 * n));
for (int i = 0; i < n; ++i) both[i] = 0.0f;
twice<<<(n + 255) / 256, 256>>>(x, both, n);
const harness::Floats kept(both, both + n);
CHECK(cudaMemcpy(u, kept.data(), 4 * n, cudaMemcpyHostToDevice));
add<<<(n + 255) / 256, 256>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());
CHECK(cudaFree(both));

//// zeros that a non-blocking stream does not wait for: wrong_output
PARTS
__global__ void add_twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] += 2.0f * x[i]; }
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaStreamSynchronize(a));
CHECK(cudaMemset(u, 0, 4 * n));
add_twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
add<<<(n + 255) / 256, 256, 0, a>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// zeros that the host waits for: verified
PARTS
__global__ void add_twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] += 2.0f * x[i]; }
//// launch
TWO_STREAMS
twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
CHECK(cudaStreamSynchronize(a));
CHECK(cudaMemset(u, 0, 4 * n));
CHECK(cudaStreamSynchronize(nullptr));
add_twice<<<(n + 255) / 256, 256, 0, a>>>(x, u, n);
add<<<(n + 255) / 256, 256, 0, a>>>(u, y, out, n);
CHECK(cudaDeviceSynchronize());

//// zeros that a blocking stream waits for: verified
PARTS
__global__ void add_twice(const float* x, float* u, int n) { INDEX; if (i < n) u[i] += 2.0f * x[i]; }
//// launch
TWO_STREAMS
cudaStream_t c;
CHECK(cudaStreamCreate(&c));
twice<<<(n + 255) / 256, 256, 0, c>>>(x, u, n);
CHECK(cudaMemset(u, 0, 4 * n));
add_twice<<<(n + 255) / 256, 256, 0, c>>>(x, u, n);
add<<<(n + 255) / 256, 256, 0, c>>>(u, y, out, n);
CHECK(cudaStreamSynchronize(c));
CHECK(cudaStreamDestroy(c));

//// zeros that the default stream comes after: verified
PARTS
//// launch
TWO_STREAMS
CHECK(cudaMemset(u, 0, 4 * n));
twice<<<(n + 255) / 256, 256>>>(x, u, n);
add<<<(n + 255) / 256, 256>>>(u, y, out, n);

//// zeros come after the default stream's work: verified
PARTS
__global__ void sum(const float* v, const float* u, float* w, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) w[i] = v[i] + u[i];
}
//// launch
TWO_STREAMS
float *v, *w;
CHECK(cudaMalloc(&v, 4 * n));
CHECK(cudaMalloc(&w, 4 * n));
twice<<<(n + 255) / 256, 256>>>(x, v, n);
CHECK(cudaMemset(v, 0, 4 * n));
twice<<<(n + 255) / 256, 256>>>(x, u, n);
sum<<<(n + 255) / 256, 256>>>(v, u, w, n);
add<<<(n + 255) / 256, 256>>>(w, y, out, n);
CHECK(cudaDeviceSynchronize());
CHECK(cudaFree(v));
CHECK(cudaFree(w));

//// a copy within the device that a non-blocking stream does not wait for: wrong_output
PARTS
//// launch
TWO_STREAMS
static float* v = nullptr;
if (!v) CHECK(cudaMalloc(&v, 4 * 20000));
twice<<<(n + 255) / 256, 256>>>(x, u, n);
CHECK(cudaMemset(v, 0, 4 * n));
CHECK(cudaDeviceSynchronize());
CHECK(cudaMemcpy(v, u, 4 * n, cudaMemcpyDeviceToDevice));
add<<<(n + 255) / 256, 256, 0, a>>>(v, y, out, n);
CHECK(cudaDeviceSynchronize());

//// a copy within the device that a blocking stream waits for: verified
PARTS
//// launch
TWO_STREAMS
static float* v = nullptr;
if (!v) CHECK(cudaMalloc(&v, 4 * 20000));
twice<<<(n + 255) / 256, 256>>>(x, u, n);
CHECK(cudaMemset(v, 0, 4 * n));
CHECK(cudaDeviceSynchronize());
CHECK(cudaMemcpy(v, u, 4 * n, cudaMemcpyDeviceToDevice));
cudaStream_t c;
CHECK(cudaStreamCreate(&c));
add<<<(n + 255) / 256, 256, 0, c>>>(v, y, out, n);
CHECK(cudaDeviceSynchronize());
CHECK(cudaStreamDestroy(c));

//// memory that another stream gives: out_of_bounds
PARTS
//// launch
TWO_STREAMS
float* v;
CHECK(cudaMallocAsync(&v, 4 * n, a));
twice<<<(n + 255) / 256, 256, 0, b>>>(x, v, n);
add<<<(n + 255) / 256, 256, 0, b>>>(v, y, out, n);
CHECK(cudaDeviceSynchronize());
CHECK(cudaFreeAsync(v, b));
CHECK(cudaDeviceSynchronize());

//// memory that another stream gives, after a wait: verified
PARTS
//// launch
TWO_STREAMS
float* v;
CHECK(cudaMallocAsync(&v, 4 * n, a));
CHECK(cudaEventRecord(event, a));
CHECK(cudaStreamWaitEvent(b, event));
twice<<<(n + 255) / 256, 256, 0, b>>>(x, v, n);
add<<<(n + 255) / 256, 256, 0, b>>>(v, y, out, n);
CHECK(cudaFreeAsync(v, b));
CHECK(cudaDeviceSynchronize());

//// kernels beside each other that add plainly: race
__global__ void begin(const float* y, float* out, int n) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] = fmaxf(y[i], 0.0f);
}
__global__ void add(const float* x, const float* y, float* out, int n, float share) {
    INDEX;
    if (i < n && i % 2 == 0) out[i] += share * (fmaxf(2.0f * x[i] + y[i], 0.0f) - fmaxf(y[i], 0.0f));
}
//// launch
TWO_STREAMS
begin<<<(n + 255) / 256, 256, 0, a>>>(y, out, n);
CHECK(cudaEventRecord(event, a));
CHECK(cudaStreamWaitEvent(b, event));
add<<<(n + 255) / 256, 256, 0, a>>>(x, y, out, n, 0.5f);
add<<<(n + 255) / 256, 256, 0, b>>>(x, y, out, n, 0.5f);
CHECK(cudaDeviceSynchronize());

//// kernels beside each other, in halves, and atomics on one counter: verified
__device__ int counter;
__global__ void part(const float* x, const float* y, float* out, int first, int last) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= last) return;
    atomicAdd(&counter, 1);
    if (i % 2 == 0) out[i] = fmaxf(2.0f * x[i] + y[i], 0.0f);
}
//// launch
TWO_STREAMS
part<<<(n + 255) / 256, 256, 0, a>>>(x, y, out, 0, n / 2);
part<<<(n + 255) / 256, 256, 0, b>>>(x, y, out, n / 2, n);
CHECK(cudaDeviceSynchronize());
