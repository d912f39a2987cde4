#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc[2];
    wmma::fill_fragment(fc[0], 0.0f); wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16); wmma::load_matrix_sync(fc[1], c, 16, wmma::mem_row_major);
    wmma::mma_sync(fc[0], fa, fb, fc[0]);
    for (int i = 0; i < fc[0].num_elements; i++) fc[0].x[i] *= 2.0f;
    wmma::store_matrix_sync(c, fc[0], 16, wmma::mem_row_major);
}
