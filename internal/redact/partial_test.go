package redact

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

func TestASecretThatLiesAcrossPiecesOfALineIsOne(t *testing.T) {
	const stamp = "2026-11-20T10:00:00.000000001Z "
	for name, c := range map[string]struct{ in, want string }{
		"CRI": {
			stamp + "stderr P token=abc123\n" + stamp + "stdout F other 10.0.0.1\n" + stamp + "stderr P def456\n" + stamp + "stderr F ghi and 10.0.0.2\n" + stamp + "stderr F token=abc123def456ghi\n",
			stamp + "stderr P token=token-1\n" + stamp + "stdout F other ip-2\n" + stamp + "stderr P \n" + stamp + "stderr F  and ip-1\n" + stamp + "stderr F token=token-1\n",
		},
		"both streams": {
			stamp + "stderr P at 10.0\n" + stamp + "stdout P by jane@ac\n" + stamp + "stderr F .0.1 up\n" + stamp + "stdout F me.com up\n",
			stamp + "stderr P at ip-1\n" + stamp + "stdout P by mail-1\n" + stamp + "stderr F  up\n" + stamp + "stdout F  up\n",
		},
		"docker": {
			`{"log":"password=hun","stream":"stdout","time":"2026-11-20T10:00:00Z"}` + "\n" + `{"log":"ter2 at 10.0.0.1\n","stream":"stdout","time":"2026-11-20T10:00:00Z"}` + "\n",
			`{"log":"password=password-1","stream":"stdout","time":"2026-11-20T10:00:00Z"}` + "\n" + `{"log":" at ip-1\n","stream":"stdout","time":"2026-11-20T10:00:00Z"}` + "\n",
		},
		"near miss: whole lines": {
			stamp + "stderr F token=abc123\n" + stamp + "stderr F def456\n",
			stamp + "stderr F token=token-1\n" + stamp + "stderr F def456\n",
		},
	} {
		for how, r := range map[string]func(string) string{
			"whole":  func(in string) string { return stream(t, "0.log", in) },
			"pieces": func(in string) string { return halved(t, in) },
		} {
			if got := r(c.in); got != c.want {
				t.Errorf("%s, %s:\n got:\n%s\nwant:\n%s", name, how, got, c.want)
			}
		}
	}
}

func halved(t *testing.T, in string) string {
	t.Helper()
	var out strings.Builder
	if err := NewText(Options{}).Copy(&out, iotest.OneByteReader(strings.NewReader(in)), "0.log"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestALineWhosePiecesFillUnitsStaysOne(t *testing.T) {
	const stamp = "2026-11-20T10:00:00.000000001Z stderr "
	var in strings.Builder
	for i := range 60 { // 16 KiB each, an address across every cut
		fmt.Fprintf(&in, "%sP %s%s 10.0", stamp, map[bool]string{true: ".0.1 "}[i > 0], strings.Repeat("x ", 8<<10))
		in.WriteString("\n")
	}
	in.WriteString(stamp + "F .0.1 end\n")
	out := stream(t, "0.log", in.String())
	if strings.Contains(out, "10.0") || strings.Contains(out, ".0.1") || strings.Count(out, "ip-1") != 60 || strings.Count(out, "\n") != 61 {
		t.Errorf("%d addresses, %d lines", strings.Count(out, "ip-1"), strings.Count(out, "\n"))
	}
}
