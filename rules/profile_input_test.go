package rules

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gotriage/triage/profile"
)

func TestPprofFindsTheFunctionByItsPattern(t *testing.T) {
	in := &ProfileInput{View: profile.NewView(&profile.Profile{Kind: profile.KindCPU}), Input: "cpu.pb.gz"}
	for _, function := range []string{
		"example.com/m/certs.(*Issuer).ClientCertificate", "example.com/m/server/v2.(*Client).Read",
		"example.com/m/store.(*Cache[...]).get", "main.main.func1", "gopkg.in/yaml%2ev3.(*parser).parse",
	} {
		command := in.Peek(function).Command
		pattern, file, ok := strings.Cut(strings.TrimPrefix(command, "go tool pprof -peek '"), "' ")
		if re, err := regexp.Compile(pattern); !ok || err != nil || file != "cpu.pb.gz" || !re.MatchString(function) {
			t.Errorf("%s: %s (%v)", function, command, err)
		}
	}
	in.Text = true
	if got := in.Peek("main.main").Command; got != "triage fetch :6060 --only cpu" {
		t.Errorf("of a profile in text form: %s", got)
	}
}
