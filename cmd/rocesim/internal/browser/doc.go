// Package browser opens pages in Chromium, for tests with the build tag peers.
// It records what a page must not do: errors, requests, violations of its
// content security policy, and calls of window.alert, by which tests notice
// that a name with markup was executed.
package browser
