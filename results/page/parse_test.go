package page

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// parsed returns the page as a browser reads it.
func parsed(t testing.TB, d *Document) (*html.Node, string) {
	var out bytes.Buffer
	require.NoError(t, d.Write(&out))
	root, err := html.Parse(bytes.NewReader(out.Bytes()))
	require.NoError(t, err)
	return root, out.String()
}

// elements returns all elements below n in the order of the page; with names,
// those of them only.
func elements(n *html.Node, names ...string) []*html.Node {
	var found []*html.Node
	for e := range n.Descendants() {
		if e.Type == html.ElementNode && (len(names) == 0 || slices.Contains(names, e.Data)) {
			found = append(found, e)
		}
	}
	return found
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// text returns the text below an element, as a reader would type it.
func text(n *html.Node) string {
	var out strings.Builder
	for e := range n.Descendants() {
		if e.Type == html.TextNode {
			out.WriteString(e.Data)
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(out.String(), "\u00a0", " "))
}

// byID returns the one element with an ID.
func byID(t testing.TB, root *html.Node, id string) *html.Node {
	var found []*html.Node
	for _, e := range elements(root) {
		if v, ok := attribute(e, "id"); ok && v == id {
			found = append(found, e)
		}
	}
	require.Len(t, found, 1, id)
	return found[0]
}

// shape is a page without its text and values: names of elements and of their
// attributes, in order. A value from outside that changes it has been read as
// markup.
func shape(root *html.Node) string {
	var out strings.Builder
	for _, e := range elements(root) {
		out.WriteString(e.Data)
		for _, a := range e.Attr {
			if a.Key != "class" { // a column of a name like "0" is one of numbers
				out.WriteString(" " + a.Key)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}
