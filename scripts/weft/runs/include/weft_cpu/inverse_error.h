// CUDA's erfinv, erfcinv and normcdfinv, which C lacks: the quantile of the normal distribution by rational
// approximations (S. L. Moshier, Cephes Mathematical Library, ndtri).
#pragma once

namespace weft_cpu {

// Horner's rule; the highest coefficient comes first.
template <int count>
inline double polynomial(double x, const double (&coefficients)[count]) {
    double sum = coefficients[0];
    for (int i = 1; i < count; ++i) sum = sum * x + coefficients[i];
    return sum;
}

// The same where the highest coefficient is 1 and left out.
template <int count>
inline double monic(double x, const double (&coefficients)[count]) {
    double sum = x + coefficients[0];
    for (int i = 1; i < count; ++i) sum = sum * x + coefficients[i];
    return sum;
}

inline double middle_quantile(double y) {
    constexpr double over[] = {-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
                               1.39312609387279679503e1, -1.23916583867381258016e0};
    constexpr double under[] = {1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
                                -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1,
                                1.59056225126211695515e1, -1.18331621121330003142e0};
    const double square = y * y;
    const double correction = y * (square * polynomial(square, over) / monic(square, under));
    return (y + correction) * 2.50662827463100050242;  // sqrt(2 pi)
}

inline double near_tail(double z) {
    constexpr double over[] = {4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
                               4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0,
                               -1.40256079171354495875e-1, -3.50424626827848203418e-2,
                               -8.57456785154685413611e-4};
    constexpr double under[] = {1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
                                1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1,
                                -3.80806407691578277194e-2, -9.33259480895457427372e-4};
    return z * polynomial(z, over) / monic(z, under);
}

inline double far_tail(double z) {
    constexpr double over[] = {3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0,
                               1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
                               3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9};
    constexpr double under[] = {6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0,
                                2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
                                2.89247864745380683936e-6, 6.79019408009981274425e-9};
    return z * polynomial(z, over) / monic(z, under);
}

}  // namespace weft_cpu

inline double normcdfinv(double y) {
    constexpr double edge = 0.13533528323661269189;  // exp(-2)
    if (y <= 0.0) return -HUGE_VAL;
    if (y >= 1.0) return HUGE_VAL;
    const bool upper = y > 1.0 - edge;
    if (upper) y = 1.0 - y;
    if (y > edge) return weft_cpu::middle_quantile(y - 0.5);
    const double x = sqrt(-2.0 * log(y));
    const double z = 1.0 / x;
    const double distance = x - log(x) / x - (x < 8.0 ? weft_cpu::near_tail(z) : weft_cpu::far_tail(z));
    return upper ? distance : -distance;
}

inline double erfinv(double x) {
    if (x == 0.0) return 0.0;
    if (x == 1.0) return HUGE_VAL;
    if (x == -1.0) return -HUGE_VAL;
    if (x < -1.0 || x > 1.0) return NAN;
    return normcdfinv((x + 1.0) / 2.0) / sqrt(2.0);
}

inline float erfinvf(float x) { return static_cast<float>(erfinv(x)); }
inline double erfcinv(double x) { return erfinv(1.0 - x); }
inline float erfcinvf(float x) { return static_cast<float>(erfcinv(x)); }
inline float normcdfinvf(float x) { return static_cast<float>(normcdfinv(x)); }
