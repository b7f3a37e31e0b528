// Package module checks what `go install` of the product downloads.
package module

import (
	"bytes"
	"os/exec"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// maxDownload is what the module's archive may have: captures and the programs that made them are a module apart.
const maxDownload = 5_000_000

func TestInstallingWithGoDownloadsLessThan5MB(t *testing.T) {
	dir := t.TempDir()
	git := exec.Command("git", "checkout-index", "--all", "--prefix="+dir+"/")
	git.Dir = "../.."
	if out, err := git.CombinedOutput(); err != nil {
		t.Skipf("no checkout of git: %v: %s", err, out)
	}
	var archive bytes.Buffer
	product := module.Version{Path: "github.com/gotriage/triage", Version: "v0.1.0"}
	if err := zip.CreateFromDir(&archive, product, dir); err != nil {
		t.Fatal(err)
	}
	if archive.Len() > maxDownload {
		t.Errorf("the module's archive has %d bytes, more than %d", archive.Len(), maxDownload)
	}
}
