package symbol

import "strings"

// PlainName is a function's name as its source calls it, without what builds add: the folder that vendored it, the
// major version of its module (/v2), %2e, type arguments ([...], [go.shape.int]), the suffixes of method values and
// of go statements' wrappers. Closures keep their suffix.
func PlainName(fn string) string {
	if isPlain(fn) {
		return fn
	}
	fn = strings.TrimSuffix(fn, "-fm")
	fn = DropTypeArgs(fn)
	if i := LastIndex(fn, VendorDir); i >= 0 {
		fn = fn[i+len(VendorDir):]
	} else {
		fn = strings.TrimPrefix(fn, VendorDir[1:])
	}
	if i := LastIndex(fn, ".gowrap"); i >= 0 {
		fn = fn[:i]
	}
	end := plainPackageEnd(fn)
	pkg := fn[:end]
	if strings.Contains(pkg, "%2e") {
		pkg = strings.ReplaceAll(pkg, "%2e", ".")
	}
	if major := DropMajors(pkg); len(major) != end {
		return major + fn[end:]
	}
	return fn
}

// isPlain reports, for most names, that builds added nothing.
func isPlain(fn string) bool {
	return strings.IndexByte(fn, '[') < 0 && strings.IndexByte(fn, '%') < 0 && !strings.Contains(fn, VendorDir[:2]) &&
		!strings.Contains(fn, ".gowrap") && !strings.HasPrefix(fn, VendorDir[1:]) && !strings.HasSuffix(fn, "-fm")
}

// PlainPackage is the import path in a name that PlainName made; all of a name without one.
func PlainPackage(name string) string { return name[:plainPackageEnd(name)] }

// plainPackageEnd is where the import path of a plain name ends: at the first dot after the last slash, which is the
// path's, since type arguments are gone.
func plainPackageEnd(fn string) int {
	slash := strings.LastIndexByte(fn, '/') + 1
	if dot := strings.IndexByte(fn[slash:], '.'); dot >= 0 {
		return slash + dot
	}
	return len(fn)
}

// DropMajors removes path elements v2, v3, …, v99, which Go modules add from major version 2 on.
func DropMajors(pkg string) string {
	for i := 0; i < len(pkg); {
		v := strings.Index(pkg[i:], "/v")
		if v < 0 {
			return pkg
		}
		v += i
		end := v + 2
		for end < len(pkg) && IsDigit(pkg[end]) {
			end++
		}
		digits := pkg[v+2 : end]
		whole := end == len(pkg) || pkg[end] == '/'
		if whole && 0 < len(digits) && len(digits) < 3 && digits[0] != '0' && digits != "1" {
			pkg = pkg[:v] + pkg[end:]
			i = v
			continue
		}
		i = v + 2
	}
	return pkg
}
