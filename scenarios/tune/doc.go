// Package tune searches for the setting of a scenario that is best at an
// objective and meets conditions, with a given number of runs.
//
// The search begins with settings spread over the whole box (Halton 1960).
// From then on a Gaussian process, fitted to the ranks of all settings tried,
// says where the next batch is expected to improve most on the best one
// (expected improvement: Jones, Schonlau, Welch 1998; batches by believing the
// prediction: Ginsbourger, Le Riche, Carraro 2010). A setting that meets the
// conditions ranks before any that does not, and among these the smaller
// violation first (Deb 2000). As only ranks count, a setting a thousand times
// worse than the others is no worse for the model than one just behind them.
//
// What is run next depends on the scenario, the arguments and the results
// only, so that a search on any number of workers, or one that was interrupted
// and goes on, takes the same path.
package tune
