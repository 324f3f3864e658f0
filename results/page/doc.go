// Package page makes HTML pages that need nothing beside themselves: style
// sheets, scripts and data are inside the file, so that a page opens offline,
// from a mail or from an archive.
//
// A page is a Document. Its sections are made by html/template, which escapes
// what comes from scenarios; its data goes into script elements that browsers
// do not run; and a content security policy lets only the page's own scripts
// and styles work, by their hashes. Scripts find the object rocesim of
// assets/base.js there, which reads data and tells of changes of the theme.
package page
