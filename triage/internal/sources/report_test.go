package sources

import (
	"strings"
	"testing"
)

func TestAReportThatCanNotBeOneIsRefused(t *testing.T) {
	const begin = `{"schema":"triage/v1","findings":[`
	for _, tt := range []struct{ name, text, want string }{
		{"too many objects", begin + strings.Repeat("{},", maxObjects) + "{}]}", "it has more than 1000000 objects"},
		{"too large", begin + strings.Repeat(" ", maxReport) + "]}", "it is larger than 64 MiB"},
		{"a severity", begin + `{"severity":"dire","confidence":"low"}]}`, "unknown severity"},
		{"a confidence", begin + `{"severity":"low","confidence":"sure"}]}`, "unknown confidence"},
	} {
		if _, err := decodeReport([]byte(tt.text)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := decodeReport([]byte(begin + `{"severity":"low","confidence":"low"}]} more`)); err != nil {
		t.Errorf("a report is refused: %v", err)
	}
}
