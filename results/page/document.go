package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
)

// assets are the templates, style sheets and scripts of this package.
//
//go:embed assets
var assets embed.FS

// Document is one page.
type Document struct {
	// Title is the page's heading and, with Kind before it, its title.
	Title string
	// Kind says what the page shows: "Run", "Sweep", "Comparison".
	Kind string
	// Lead stands below the heading, before the list of sections.
	Lead     template.HTML
	Sections []Section
	Data     []Data
	// Scripts and Styles are sources of JavaScript and CSS, which follow those
	// that every page has (assets/base.js, tables.js, style.css). Scripts run
	// in their order when the page has been read, each with "use strict" and in one
	// scope. Neither may be made of a scenario's text.
	Scripts, Styles []string
	// Foot is the small print at the end: what made the page.
	Foot string
}

// Section is a part of a page with a heading, which the list of sections
// names.
type Section struct {
	// ID is the anchor that links lead to, a word in lower case.
	ID, Title string
	// Body comes from html/template, which escapes text from outside.
	Body template.HTML
}

// Data is a value for scripts: rocesim.data(ID) returns it.
type Data struct {
	ID    string
	Value any
}

// Part is what a component adds to a page.
type Part struct {
	Sections        []Section
	Data            []Data
	Scripts, Styles []string
}

// Add appends a component: sections behind the sections, data behind the data.
// Scripts and styles that the page has already are not repeated.
func (d *Document) Add(p Part) {
	d.Sections = append(d.Sections, p.Sections...)
	d.Data = append(d.Data, p.Data...)
	d.Scripts = appendNew(d.Scripts, p.Scripts)
	d.Styles = appendNew(d.Styles, p.Styles)
}

func appendNew(all, more []string) []string {
	known := map[string]bool{}
	for _, s := range all {
		known[s] = true
	}
	for _, s := range more {
		if !known[s] {
			known[s] = true
			all = append(all, s)
		}
	}
	return all
}

// Asset returns the text of a file of assets, such as "chart.js". It panics if
// there is none: the names are constants.
func Asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("page: no asset " + name)
	}
	return string(text)
}

// shell is what the layout is filled with.
type shell struct {
	*Document
	Policy                 string
	Style, Script, Storage template.HTML
}

// Write writes the page. An error is one of w, or says that a value cannot be
// JSON, that two data have one ID, or that a script or style would end its own
// element.
func (d *Document) Write(w io.Writer) error {
	layout, err := template.New("layout").Parse(Asset("layout.html"))
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	styles := append([]string{Asset("style.css")}, d.Styles...)
	scripts := append([]string{Asset("base.js"), Asset("tables.js")}, d.Scripts...)
	s := shell{Document: d}
	var styleHashes, scriptHashes string
	if s.Style, styleHashes, err = inline("style", styles); err != nil {
		return err
	}
	if s.Script, scriptHashes, err = inline("script", scripts); err != nil {
		return err
	}
	if s.Storage, err = storage(d.Data); err != nil {
		return err
	}
	s.Policy = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src" +
		styleHashes + "; script-src" + scriptHashes
	return layout.Execute(w, s)
}

// inline puts sources into elements of their own and returns the hashes by
// which a content security policy allows them.
func inline(element string, sources []string) (html template.HTML, hashes string, err error) {
	var out strings.Builder
	end := regexp.MustCompile(`(?i)</` + element + `|<!--`)
	for _, source := range sources {
		// Browsers hash what they have read, with line ends made one.
		source = strings.ReplaceAll(source, "\r\n", "\n")
		if at := end.FindStringIndex(source); at != nil {
			return "", "", fmt.Errorf("page: a %s holds %q, which would end it", element, source[at[0]:at[1]])
		}
		hash := sha256.Sum256([]byte(source))
		hashes += " 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
		fmt.Fprintf(&out, "<%s>%s</%s>\n", element, source, element)
	}
	return template.HTML(out.String()), hashes, nil
}

// storage puts data into script elements of a type that is not run. The JSON
// has no <, > and &, so no text in it can end its element.
func storage(data []Data) (template.HTML, error) {
	var out strings.Builder
	seen := map[string]bool{}
	for _, d := range data {
		if seen[d.ID] {
			return "", fmt.Errorf("page: two data have the ID %q", d.ID)
		}
		seen[d.ID] = true
		text, err := json.Marshal(d.Value)
		if err != nil {
			return "", fmt.Errorf("page: data %s: %w", d.ID, err)
		}
		fmt.Fprintf(&out, "<script type=\"application/json\" id=\"%s\">%s</script>\n", template.HTMLEscapeString(d.ID), text)
	}
	return template.HTML(out.String()), nil
}
