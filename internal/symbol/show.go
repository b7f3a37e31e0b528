package symbol

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ShortFunc returns fn with its import path cut to the package's name, as its source calls it:
// "dynamiclistener.(*listener).WrapExpiration.func1". A major version is no name: "k8s.io/klog/v2.Infof" is
// "klog.Infof".
func ShortFunc(fn string) string {
	fn = Written(fn)
	pkg, rest := SplitPackage(fn)
	if pkg == "" {
		return fn
	}
	name := packageName(pkg)
	if strings.HasSuffix(pkg, name) {
		return fn[len(pkg)-len(name):]
	}
	return name + "." + rest
}

// Written returns fn without the suffix of a method value, as the source calls it.
func Written(fn string) string { return strings.TrimSuffix(fn, "-fm") }

// packageName returns the package's name, derived from its path.
func packageName(pkg string) string {
	dir, name := CutLast(pkg)
	if dir != "" && IsMajor(name) {
		_, name = CutLast(dir)
	}
	name = Unescape(name)
	if i := strings.LastIndexByte(name, '.'); i > 0 && IsMajor(name[i+1:]) {
		name = name[:i]
	}
	return name
}

// CutLast splits a path at its last slash.
func CutLast(path string) (dir, last string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// IsMajor reports whether a path element is a major version: v2, v11.
func IsMajor(elem string) bool {
	return len(elem) > 1 && elem[0] == 'v' && strings.Trim(elem[1:], "0123456789") == ""
}

// Shorten cuts fn's import path from the left at slashes, marked by "…/", until fn fits in width runes, and undoes the
// linker's escapes. It never cuts the package's last element or the function, so the result may be wider.
func Shorten(fn string, width int) string {
	pkg, rest := SplitPackage(fn)
	if pkg == "" {
		return fn
	}
	pkg = Unescape(pkg)
	free := width - utf8.RuneCountInString(rest) - 1
	if utf8.RuneCountInString(pkg) <= free {
		return pkg + "." + rest
	}
	cut := pkg
	for {
		i := strings.IndexByte(cut, '/')
		if i < 0 || IsMajor(cut[i+1:]) {
			break
		}
		cut = cut[i+1:]
		if utf8.RuneCountInString(cut)+len([]rune("…/")) <= free {
			break
		}
	}
	if cut == pkg {
		return pkg + "." + rest
	}
	return "…/" + cut + "." + rest
}

// ShortFile returns the base name of a source path of any system.
func ShortFile(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// Unescape undoes the linker's %xx escapes in a package path ("gopkg.in/yaml%2ev3"), see objabi.PathToPrefix. Escapes
// of control characters and of bytes outside ASCII stay as they are.
func Unescape(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil && c > ' ' && c < 0x7f {
				out = append(out, byte(c))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// StripVendor drops the path of the module that vendored fn's package: everything up to the last "/vendor/" (or the
// older "/Godeps/_workspace/src/") of its import path, and the standard library's own "vendor/".
func StripVendor(fn string) string {
	pkg, _ := SplitPackage(fn)
	return fn[VendorEnd(pkg):]
}

const (
	VendorDir = "/vendor/"
	godepsDir = "/Godeps/_workspace/src/"
)

// VendorEnd returns the length of pkg's vendor prefix, 0 where it has none.
func VendorEnd(pkg string) int {
	if i := LastIndex(pkg, VendorDir); i >= 0 {
		return i + len(VendorDir)
	}
	if i := LastIndex(pkg, godepsDir); i >= 0 {
		return i + len(godepsDir)
	}
	if strings.HasPrefix(pkg, VendorDir[1:]) {
		return len(VendorDir) - 1
	}
	return 0
}

// LastIndex is strings.LastIndex for what most texts lack: strings.Index finds that out much faster.
func LastIndex(s, sub string) int {
	at, from := -1, 0
	for {
		i := strings.Index(s[from:], sub)
		if i < 0 {
			return at
		}
		at = from + i
		from = at + 1
	}
}

// Base returns the function as declared: fn without closure and wrapper suffixes and type arguments, for fingerprints
// and for matching. Base(Base(fn)) == Base(fn).
func Base(fn string) string {
	n := ParseName(fn)
	if n.Package == "" {
		return fn
	}
	if n.Closure != "" {
		fn = fn[:len(fn)-len(n.Closure)]
	}
	fn = strings.TrimRight(fn, ".-·")
	if n.Generic {
		fn = DropTypeArgs(fn)
	}
	return fn
}

// DropTypeArgs removes everything in square brackets: the runtime prints "[...]", profiles spell the arguments out.
func DropTypeArgs(fn string) string { return replaceTypeArgs(fn, "") }

// HideTypeArgs writes type arguments as the runtime's dumps do: "[...]".
func HideTypeArgs(fn string) string { return replaceTypeArgs(fn, "[...]") }

func replaceTypeArgs(fn, by string) string {
	if strings.IndexByte(fn, '[') < 0 {
		return fn
	}
	out := make([]byte, 0, len(fn))
	depth := 0
	for i := 0; i < len(fn); i++ {
		switch {
		case fn[i] == '[':
			if depth++; depth == 1 {
				out = append(out, by...)
			}
		case fn[i] == ']' && depth > 0:
			depth--
		case depth == 0:
			out = append(out, fn[i])
		}
	}
	return string(out)
}
