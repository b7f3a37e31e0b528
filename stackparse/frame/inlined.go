package frame

import (
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// SourceName returns the name that a function has in its source, where the compiler made another of it: of a closure
// whose function was inlined elsewhere (symbol.Innermost). file is the source file as printed, and shows the package
// that the function is of:
//
//	timeout.New.New.NewMiddleware.func1.func2.1   timeout.NewMiddleware.func1.func2.1
//	server.Build.WithAudit.func6                  filters.WithAudit.func6, in .../filters/audit.go
//	server.Options.New.func8                      itself: New may be a method of Options
//
// The numbers behind are those that the compiler gave. A name is returned as it is where it may be what it seems to be,
// or where nothing shows the package.
func SourceName(fn, file string) string {
	at, sure := symbol.Innermost(fn)
	if at == 0 {
		return fn
	}
	pkg := symbol.PackageOf(fn)
	home := sourcePackage(file, pkg)
	if home == "" || home == pkg && !sure {
		return fn
	}
	return home + "." + fn[at:]
}

// sourcePackage is the import path of the package that a file is of, "" where nothing shows it. pkg is the package of a
// function that was compiled with it: its own most often.
func sourcePackage(file, pkg string) string {
	if !strings.HasSuffix(file, ".go") {
		return "" // generated, or by a line directive
	}
	file = strings.ReplaceAll(file, `\`, "/")
	dir, _ := symbol.CutLast(file)
	vendored := symbol.VendorEnd(pkg)
	home := ""
	if i := stdFolder(dir); i >= 0 {
		home = dir[i:]
	} else if mod, ok := cachedModule(dir + "/"); ok {
		if pkg == "main" {
			return "" // of a program that was installed from there, perhaps
		}
		home = mod
		if _, below, ok := strings.Cut(dir[strings.Index(dir, "@v"):], "/"); ok {
			home += "/" + below
		}
	} else if i := symbol.LastIndex(dir, symbol.VendorDir); i >= 0 {
		home = dir[i+len(symbol.VendorDir):]
	} else if pkg != "main" && strings.Contains(firstElem(dir), ".") && dir[0] != '.' {
		home = dir // of the program itself, in a trimmed build
	}
	plain := symbol.Unescape(pkg[vendored:])
	_, last := symbol.CutLast(plain)
	switch _, in := symbol.CutLast(dir); {
	case home == plain, home == "" && (pkg == "main" || in == last):
		return pkg
	case home == "":
		return ""
	}
	dir, last = symbol.CutLast(home)
	home = strings.ReplaceAll(last, ".", "%2e") // as the linker does
	if dir != "" {
		home = dir + "/" + home
	}
	return pkg[:vendored] + home
}

// stdFolder is where the import path begins in a folder of the standard library's sources, -1 for another.
func stdFolder(dir string) int {
	at := 0
	if i := symbol.LastIndex(dir, "/src/"); i >= 0 {
		if root := dir[:i]; !strings.HasSuffix(root, "go") && !strings.Contains(root, "go1.") {
			return -1
		}
		at = i + len("/src/")
	}
	if !stdRoot(firstElem(dir[at:])) {
		return -1
	}
	return at
}
