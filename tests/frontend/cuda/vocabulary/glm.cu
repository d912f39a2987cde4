#include <glm/glm.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/gtx/quaternion.hpp>
using vec3 = glm::vec<3, float>; using mat3 = glm::mat<3, 3, float>;
__global__ void k(vec3* p, float* m, glm::fquat* turns, float* out) {
    vec3 v = p[threadIdx.x]; mat3 r = glm::make_mat3(m + 9 * threadIdx.x);
    vec3 w = r * v + 2.f * v - v / 3.f; w += v; w *= 2.f;
    mat3 s = glm::transpose(r) * r * 2.f; mat3 one(1.f); mat3 of(v, w, -v);
    glm::fquat q = glm::normalize(turns[threadIdx.x]); w = glm::rotate(glm::quat_cast(r), v);
    glm::mat<2, 3, float> j(1.f, 0.f, 0.f, 1.f, 2.f, 3.f); auto c = glm::transpose(j) * r * j;
    glm::ivec4 n(1, 2, 3, 4); n = n << 1; n ^= glm::ivec4(3); n >>= 1; ++n;
    v = glm::min(v, w) + glm::abs(2.f - v);
    glm::mat4x3 t = glm::outerProduct(v, glm::vec4(w, 1.f)) / 2.f; mat3 u = t * glm::transpose(t) - one;
    out[threadIdx.x] = glm::dot(v, w) + glm::length(glm::cross(v, w)) + s[0][1] + q.w + c[1][1] + v.r;
    p[threadIdx.x] = glm::clamp(glm::max(v, 0.f), 0.f, 1.f); glm::vec2 flat(v); glm::ivec3 i(v);
}
__device__ glm::vec3 moved_by(glm::mat3 m, const double* p, float s) { glm::vec3 v = m * glm::make_vec3(p); v = m * v; m = m * s; return v; }
