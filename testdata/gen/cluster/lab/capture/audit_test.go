package capture

import (
	"os"
	"path/filepath"
	"testing"
)

const event = `{"kind":"Event","level":"RequestResponse","auditID":"6f1ed1bb-8a73-4f2c-9e5c-0d9b1f7a2c11","verb":"update",` +
	`"requestObject":{"a":[1,{"b":"}"}]},"responseObject":{"a":2},"annotations":{"x":"<y>"}}` + "\n"

// TestAuditLogIsSliced: what was written before the scene and an unfinished last line are left out.
func TestAuditLogIsSliced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(event+event+event[:40]), 0o600); err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]string{
		"Metadata": `{"kind":"Event","level":"Metadata","auditID":"00000003-0000-4000-8000-000000000001","verb":"update",` +
			`"annotations":{"x":"<y>"}}` + "\n",
		"RequestResponse": `{"kind":"Event","level":"RequestResponse","auditID":"00000003-0000-4000-8000-000000000001","verb":"update",` +
			`"requestObject":{"a":[1,{"b":"}"}]},"responseObject":{"a":2},"annotations":{"x":"<y>"}}` + "\n",
	} {
		got, err := position{path, int64(len(event))}.read(level, 2)
		if err != nil || string(got) != want {
			t.Errorf("at level %s it is\n%s%v, want\n%s", level, got, err, want)
		}
	}
}
