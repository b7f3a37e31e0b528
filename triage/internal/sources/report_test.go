package sources

import (
	"strings"
	"testing"
)

func TestAReportThatCanNotBeOneIsRefused(t *testing.T) {
	const begin = `{"schema":"triage/v1","findings":[`
	for _, tt := range []struct{ name, text, want string }{
		{"too much", begin + strings.Repeat("{},", 400_000) + "{}]}", "its values would take more than 80 MiB of memory"},
		{"too large", begin + strings.Repeat(" ", maxReport) + "]}", "it is larger than 64 MiB"},
		{"a severity", begin + `{"severity":"dire","confidence":"low"}]}`, "unknown severity"},
		{"a confidence", begin + `{"severity":"low","confidence":"sure"}]}`, "unknown confidence"},
	} {
		if err := readText(tt.text); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
	if err := readText(begin + `{"severity":"low","confidence":"low"}]} more`); err != nil {
		t.Errorf("a report is refused: %v", err)
	}
}

func readText(text string) error {
	data, _, err := weighReport([]byte(text))
	if err == nil {
		_, err = decodeReport(data)
	}
	return err
}
