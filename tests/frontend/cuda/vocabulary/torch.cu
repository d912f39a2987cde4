#include <ATen/NativeFunctions.h>
#include <ATen/Functions.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Atomic.cuh>
#include <torch/extension.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
template <typename scalar_t> __global__ void k(const torch::PackedTensorAccessor32<scalar_t, 3,
    torch::RestrictPtrTraits> in, torch::PackedTensorAccessor64<scalar_t, 1> out, scalar_t*
    __restrict__ p, int n) {
    CUDA_KERNEL_LOOP(i, n) { p[i] = in[blockIdx.x][threadIdx.y][i] + out[i];
    gpuAtomicAdd(p + i, static_cast<scalar_t>(1)); }
}
torch::Tensor forward(torch::Tensor input) {
    TORCH_CHECK(input.is_cuda(), "must be on a GPU");
    at::TensorArg input_t{input, "input", 1}; at::CheckedFrom c = "forward";
    at::checkAllSameGPU(c, {input_t}); at::checkAllSameType(c, {input_t, input_t});
    at::globalContext().alertNotDeterministic("forward");
    std::ostringstream said; said << input.scalar_type() << input.device() << input.sizes() << input;
    TORCH_CHECK(input.dim() > 1, "needs no semicolon, as PyTorch's own does not")
    const at::cuda::OptionalCUDAGuard guard(input.device());
    auto output = torch::zeros({input.size(0), input.size(1)}, input.options().dtype(torch::kFloat32));
    const int threads = 256;
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(input.scalar_type(), "forward", ([&] {
    k<scalar_t><<<dim3(4), threads, 0,
        at::cuda::getCurrentCUDAStream()>>>(input.packed_accessor32<scalar_t, 3,
        torch::RestrictPtrTraits>(), output.packed_accessor64<scalar_t, 1>(),
        output.data_ptr<scalar_t>(), input.numel()); }));
    C10_CUDA_KERNEL_LAUNCH_CHECK(); return output.contiguous().view({-1, 4});
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward (CUDA)"); }
enum Mode { Fast };
struct Manager { int size; int count() const; };
PYBIND11_MODULE(other, m) {
    py::class_<Manager>(m, "Manager").def(py::init<>()).def("count", &Manager::count).def_readwrite("size", &Manager::size);
    py::enum_<Mode>(m, "Mode").value("Fast", Mode::Fast).export_values();
    auto strided = torch::TensorOptions().layout(torch::kStrided);
}
template <class T> __global__ void products(T* p, const T* q) { gpuAtomicMul(p, q[threadIdx.x]); gpuAtomicMax(p, q[0]); gpuAtomicMin(p, q[1]); }
void run_products(float* p, c10::Half* h) { products<<<1, 32>>>(p, p); products<<<1, 32>>>(h, h); cublasHandle_t blas = at::cuda::getCurrentCUDABlasHandle(); cublasSetStream(blas, 0); }
torch::Tensor sorted(torch::Tensor boxes, at::IntList sizes) {
    AT_CHECK(boxes.type().is_cuda() && boxes.type() == boxes.scalar_type());
    auto order = std::get<1>(boxes.sort(0, true)), best = std::get<0>(torch::topk(boxes, 3));
    auto out = torch::gather(at::zeros(sizes, boxes.type()), 1, order); const int blocks = THCCeilDiv(7, 2);
    AT_DISPATCH_FLOATING_TYPES(boxes.type(), "sorted", [&] { products<<<blocks, 32>>>(out.data<scalar_t>(), best.data<scalar_t>()); });
    return boxes.type().scalarType() == at::kFloat ? out : best;
}
template <class T> __global__ void waves(const T* z, typename at::scalar_value_type<T>::type* out) {
    T w = std::exp(std::conj(z[threadIdx.x])) * std::sqrt(z[0]); out[threadIdx.x] = std::abs(w) + std::real(w) + std::pow(2.0f, 3.0f) + w.real_;
}
void run_waves(const c10::complex<float>* z, float* out) { waves<<<1, 32>>>(z, out); static_assert(std::is_same<at::scalar_value_type<float>::type, float>::value, ""); }
void checks(at::Tensor t) { TORCH_CHECK_EQ(t.dim(), 3) << "dimensions: " << t.dim(); TORCH_CHECK_GE(t.size(0), 2);
    TORCH_CHECK_NE(t.size(1), 0) << "empty"; TORCH_CHECK_LT(t.size(2), 9); TORCH_CHECK_LE(1, 2); TORCH_CHECK_GT(2, 1); }
struct Encoder { void encode(int, float); void encode(double) const; };
void encoded(int, float); void encoded(double);
void bound(pybind11::module_& m) {
    m.attr("__version__") = "dev";
    m.def_submodule("inner").def("encode", py::overload_cast<int, float>(&encoded), py::arg(), py::arg("scale") = 1.0);
    py::class_<Encoder>(m, "encoder").def("encode", py::overload_cast<int, float>(&Encoder::encode)).def("whole", py::overload_cast<double>(&Encoder::encode, py::const_));
}
