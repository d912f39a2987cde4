// Of OpenCV's header, what kernels take; where OpenCV is installed, its own.
#pragma once
#if __has_include_next(<opencv2/core/cuda.hpp>)
#include_next <opencv2/core/cuda.hpp>
#else
#include <opencv2/core/cuda_types.hpp>
#endif
