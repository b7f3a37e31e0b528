package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshots writes the pictures of docs where TRIAGE_SCREENSHOTS names their folder. They are looked at, not
// compared: fonts differ between machines.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("TRIAGE_SCREENSHOTS")
	if dir == "" {
		t.Skip("TRIAGE_SCREENSHOTS names no folder: no pictures are made")
	}
	const width, maxPicture = 1000, 300 << 10
	for _, shot := range []struct {
		name   string
		from   string // what the picture begins with, "" for the top
		height int64
		args   []string
	}{
		{"founding", "", 1000, []string{testdata("pods")}},
		{"deadlock", "#waits", 620, []string{testdata("dumps/go1.26/stuck-abba.txt")}},
		{"difference", "#flames", 690, []string{
			"diff", testdata("profiles/client-cert-rsa.pb.gz"), testdata("profiles/client-cert-ecdsa.pb.gz"),
		}},
		{"bundle", "", 1000, []string{testdata("bundles/all.tar.xz"), "--only", "agent-full.tar.gz"}},
		{"audit", ".lanes", 640, []string{testdata("cluster/field-flip-a.tar.zst")}},
	} {
		file, err := filepath.Abs(filepath.Join(t.TempDir(), shot.name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		triage(t, append(shot.args, "-o", "html", "--out", file)...)
		b := open(t, file, "")
		b.do(t, chromedp.EmulateViewport(width, shot.height))
		if shot.from != "" {
			eval[bool](t, b, `(document.querySelector("`+shot.from+`").scrollIntoView(), true)`)
		}
		picture, err := chromedp.Run(b, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if len(picture) > maxPicture {
			t.Errorf("%s: %d bytes, at most %d", shot.name, len(picture), maxPicture)
		}
		if err := os.WriteFile(filepath.Join(dir, "page-"+shot.name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
