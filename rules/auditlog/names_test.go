package auditlog

import (
	"strings"
	"testing"
	"time"
)

// TestNamesInAuditLogsStayNames has an object whose name is a shell command.
func TestNamesInAuditLogsStayNames(t *testing.T) {
	e := statusUpdate
	e.name, e.namespace = "x'; reboot -f; '", "$(reboot)"
	got := auditFindings(t, auditRepeat(40, 900*time.Millisecond, e, chained))
	if len(got) == 0 {
		t.Fatal("nothing is found")
	}
	for _, f := range got {
		for _, n := range f.Next {
			if strings.Contains(n.Command, " reboot -f; ") && !strings.Contains(n.Command, `'\''; reboot -f; '\''`) ||
				strings.Contains(n.Command, " $(reboot)") {
				t.Errorf("a command to paste: %s", n.Command)
			}
		}
	}
}
