// Package compare tells whether two configurations differ, by how much, and
// whether chance alone could have made the difference.
//
// A side of a comparison is a number of runs that differ in their seed only. A
// run is one observation: the flows within it share queues and are not
// independent, so their number lends a test no strength. Sides with the same
// seeds have the same random traffic, and the differences seed by seed are
// tested against zero with Student's t (the paired-t interval under common
// random numbers of Law and Kelton, Simulation Modeling and Analysis, chapter
// 10). Sides with different seeds are independent and are tested with Welch's t
// (Biometrika 1947), which does not need equal variances. Both tests hold well
// for skewed metrics such as percentiles, because the difference of two equal
// sides is symmetric whatever their distribution is.
//
// Many metrics are tested at once, so p-values are adjusted with Holm's method
// (Scandinavian Journal of Statistics 1979): the level is the chance of finding
// any difference between equal configurations.
package compare
