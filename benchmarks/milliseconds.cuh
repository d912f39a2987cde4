// The least time of twelve launches, for the benchmarks that compare kernels by the clock.
#pragma once
#include <cuda_runtime.h>

template <class Launch> float milliseconds(Launch launch) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 1e9f;
    for (int round = 0; round < 12; ++round) {
        float time;
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&time, begin, end);
        best = time < best ? time : best;
    }
    return best;
}
