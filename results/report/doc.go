// Package report draws the plots of a run, each as PNG and as SVG.
//
// The plots are meant for network engineers: units on every axis, levels such
// as Kmin beside the queues, legends outside of the data, colours that
// colour-blind readers can tell apart (Okabe and Ito 2008) together with dash
// patterns that survive a grey printer. Long series are thinned without losing
// their peaks.
package report
