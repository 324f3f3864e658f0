//go:build peers

package browser

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axeSource is the text of axe-core.
//
//go:embed axe/axe.min.js
var axeSource string

// ScreenshotsVariable names the environment variable with the directory that
// Screenshot writes to; without it no pictures are taken.
const ScreenshotsVariable = "ROCESIM_SCREENSHOTS"

// deadline is how long Chromium may take to start, and a test may use one page.
// A machine under load is slow.
const deadline = 4 * time.Minute

// Browser is a Chromium without a window.
type Browser struct {
	tb  testing.TB
	ctx context.Context
}

// Start starts Chromium and ends it with the test. A missing Chromium fails
// the test.
func Start(tb testing.TB) *Browser {
	tb.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(tb.TempDir()),
		chromedp.WSURLReadTimeout(deadline), chromedp.Flag("force-prefers-reduced-motion", true)) // a page that scrolls smoothly moves under the pointer
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	tb.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until its files are closed
		cancel()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("Chromium does not start; it is the Debian package chromium: %v", err)
	}
	return &Browser{tb, ctx}
}

// Page is an open page and what it did.
type Page struct {
	tb  testing.TB
	ctx context.Context
	// origin is the beginning of addresses that belong to the page.
	origin string

	mu       sync.Mutex // guards faults
	faults   []string
	requests int
}

// hooks records what the page itself can notice.
const hooks = `
window.noticed = [];
window.alert = (text) => window.noticed.push("alert: " + text);
document.addEventListener("securitypolicyviolation", (e) => window.noticed.push("policy: " + e.violatedDirective + " " + e.blockedURI));
`

// Open opens an address in a window of a width and height. An address without
// a scheme is that of a file.
func (b *Browser) Open(address string, width, height int64) *Page {
	b.tb.Helper()
	if !strings.Contains(address, "://") {
		path, err := filepath.Abs(address)
		if err != nil {
			b.tb.Fatal(err)
		}
		address = (&url.URL{Scheme: "file", Path: path}).String()
	}
	ctx, cancel := chromedp.NewContext(b.ctx)
	timed, stop := context.WithTimeout(ctx, deadline)
	b.tb.Cleanup(func() { stop(); cancel() })
	p := &Page{tb: b.tb, ctx: timed, origin: address}
	if u, err := url.Parse(address); err == nil && u.Scheme == "http" {
		p.origin = u.Scheme + "://" + u.Host + "/"
	}
	p.Do(chromedp.EmulateViewport(width, height))
	if err := chromedp.Listen(timed, p.listen); err != nil {
		b.tb.Fatal(err)
	}
	p.Do(command(network.Enable, network.EnableParams{}),
		command(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}),
		command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hooks}),
		chromedp.Navigate(address))
	return p
}

// command makes an action of a command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, params)
		return chromedp.Void{}, err
	}
}

// listen records faults.
func (p *Page) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		p.fault("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var parts []string
			for _, a := range e.Args {
				parts = append(parts, string(a.Value)+a.Description)
			}
			p.fault("console: %s", strings.Join(parts, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.fault("log: %s", e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		address := e.Request.URL
		if !strings.HasPrefix(address, p.origin) && !strings.HasPrefix(address, "data:") {
			p.fault("request: %s", address)
		}
		p.mu.Lock()
		p.requests++
		p.mu.Unlock()
	}
}

func (p *Page) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// Do does actions and fails the test if one cannot be done.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.tb.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.tb.Fatalf("%s: %v", p.origin, err)
	}
}

// Eval returns the value of JavaScript, which may be a promise.
func Eval[T any](p *Page, script string) T {
	p.tb.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.tb.Fatalf("%s: %v", script[:min(len(script), 200)], err)
	}
	return value
}

// Text is Eval of a string.
func (p *Page) Text(script string) string { p.tb.Helper(); return Eval[string](p, script) }

// True is Eval of a boolean.
func (p *Page) True(script string) bool { p.tb.Helper(); return Eval[bool](p, script) }

// Click clicks the first element of a selector.
func (p *Page) Click(selector string) {
	p.tb.Helper()
	p.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector)))
}

// Resize changes the width of the window.
func (p *Page) Resize(width, height int64) {
	p.tb.Helper()
	p.Do(chromedp.EmulateViewport(width, height))
	p.Settle()
}

// Settle waits until the page has been drawn.
func (p *Page) Settle() {
	p.tb.Helper()
	p.True(`new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 50))`)
}

// Keys presses keys one after the other in the element that has the focus.
func (p *Page) Keys(keys string) {
	p.tb.Helper()
	p.Do(chromedp.KeyEvent(keys))
}

// Hover moves the pointer to a place in the window.
func (p *Page) Hover(x, y float64) {
	p.tb.Helper()
	p.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.Settle()
}

// Scheme sets the theme of the system: "light" or "dark".
func (p *Page) Scheme(theme string) {
	p.tb.Helper()
	p.Do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	}))
	p.Settle()
}

// Faults are what the page did that it must not do: in the order in which it
// happened.
func (p *Page) Faults() []string {
	p.tb.Helper()
	noticed := Eval[[]string](p, `window.noticed`)
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(slices.Clone(p.faults), noticed...)
}

// Requests is how many requests the page has made, itself included.
func (p *Page) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// WorkTime is the processor time that the page has taken since it was opened, of
// the thread that parses, draws and runs scripts. Whatever else the machine does
// is not in it.
func (p *Page) WorkTime() time.Duration {
	p.tb.Helper()
	read := func(ctx context.Context, t *chromedp.Target) (performance.GetMetricsResult, error) {
		return cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
	}
	found, err := chromedp.Run(p.ctx, read)
	if err != nil {
		p.tb.Fatal(err)
	}
	for _, m := range found.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	p.tb.Fatal("Chromium does not say how long the page was at work")
	return 0
}

// PDF prints the page.
func (p *Page) PDF() []byte {
	p.tb.Helper()
	print := func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		result, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{})
		return result.Data, err
	}
	pdf, err := chromedp.Run(p.ctx, print)
	if err != nil {
		p.tb.Fatal(err)
	}
	return pdf
}

// Screenshot writes a picture of the whole page, if somebody wants to look.
func (p *Page) Screenshot(name string) {
	p.tb.Helper()
	p.picture(name, chromedp.FullScreenshot(100))
}

// FirstScreen writes a picture of what the window shows.
func (p *Page) FirstScreen(name string) {
	p.tb.Helper()
	p.picture(name, chromedp.CaptureScreenshot())
}

func (p *Page) picture(name string, take chromedp.Action[[]byte]) {
	p.tb.Helper()
	dir := os.Getenv(ScreenshotsVariable)
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, take)
	if err != nil {
		p.tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.tb.Error(err)
	}
}

// Axe returns what the rules of accessibility find wrong, contrast included, in
// the theme that is shown: each as "rule: help: element".
func (p *Page) Axe() []string {
	p.tb.Helper()
	p.Do(chromedp.Evaluate[chromedp.Void](axeSource))
	return Eval[[]string](p, `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) =>
		v.nodes.slice(0, 5).map((n) => v.id + ": " + v.help + ": " + n.html.slice(0, 160) + " " + (n.any[0] ? n.any[0].message : ""))))`)
}
