package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDocumentIsSelfContained(t *testing.T) {
	d := &Document{Title: "a & b", Kind: "Run", Scripts: []string{"let x = 1;"}, Styles: []string{".x { color: red; }"},
		Sections: []Section{{ID: "first", Title: "<First>", Body: "<p>body</p>"}},
		Data:     []Data{{"numbers", []float64{1, 2.5}}, {"text", "</script><script>alert(1)</script>\u2028"}}}
	var out bytes.Buffer
	require.NoError(t, d.Write(&out))
	html := out.String()

	require.Contains(t, html, "<title>Run: a &amp; b</title>")
	require.Contains(t, html, `<a href="#first">&lt;First&gt;</a>`)
	require.Contains(t, html, `<script type="application/json" id="numbers">[1,2.5]</script>`)
	require.Contains(t, html, `id="text">"\u003c/script\u003e\u003cscript\u003ealert(1)\u003c/script\u003e\u2028"</script>`)
	for _, source := range []string{"let x = 1;", ".x { color: red; }", Asset("base.js"), Asset("style.css")} {
		require.Contains(t, html, source)
		hash := sha256.Sum256([]byte(source))
		require.Contains(t, html, "&#39;sha256-"+strings.ReplaceAll(base64.StdEncoding.EncodeToString(hash[:]), "+", "&#43;"))
	}
	require.NotRegexp(t, `(src|href)="(https?:)?//`, html)
}

func TestDocumentRefuses(t *testing.T) {
	for _, c := range []struct {
		document Document
		want     string
	}{
		{Document{Scripts: []string{"x = '</SCRIPT>'"}}, `page: a script holds "</SCRIPT", which would end it`},
		{Document{Scripts: []string{"x <!-- y"}}, `page: a script holds "<!--", which would end it`},
		{Document{Styles: []string{"</style>"}}, `page: a style holds "</style", which would end it`},
		{Document{Data: []Data{{"a", 1}, {"a", 2}}}, `page: two data have the ID "a"`},
		{Document{Data: []Data{{"a", func() {}}}}, `page: data a: json: unsupported type: func()`},
	} {
		require.EqualError(t, c.document.Write(&bytes.Buffer{}), c.want)
	}
	require.EqualError(t, (&Document{}).Write(full{}), "disk full")
}

// full is a file on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAddTakesScriptsOnce(t *testing.T) {
	var d Document
	part := Part{Scripts: []string{"a", "b"}, Styles: []string{"s"}, Data: []Data{{"x", 1}}}
	d.Add(part)
	d.Add(Part{Scripts: []string{"b", "c"}, Styles: []string{"s"}})
	require.Equal(t, []string{"a", "b", "c"}, d.Scripts)
	require.Equal(t, []string{"s"}, d.Styles)
	require.Panics(t, func() { Asset("none.js") })
}

// Scripts of ours are strict, so that a misspelt name is an error.
func TestScriptsAreStrict(t *testing.T) {
	files, err := assets.ReadDir("assets")
	require.NoError(t, err)
	scripts := 0
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".js") {
			scripts++
			require.True(t, strings.HasPrefix(Asset(f.Name()), "\"use strict\";\n"), f.Name())
		}
	}
	require.Greater(t, scripts, 2)
}
