package rules

// A View is the kind of evidence that a rule's findings show a cause in. Findings of several views may be one cause.
type View int

// The views.
const (
	ViewCode    View = iota // goroutines and profiles: lines of code
	ViewLogs                // what programs log
	ViewObjects             // what Kubernetes objects look like
	ViewAudit               // requests to the API servers
)

// View returns the view that r's findings are of. Of several kinds of evidence, that which shows most decides.
func (r *Rule) View() View {
	switch {
	case r.Needs&NeedsAudit != 0:
		return ViewAudit
	case r.Needs&NeedsObjects != 0:
		return ViewObjects
	case r.Needs&NeedsLogs != 0:
		return ViewLogs
	}
	return ViewCode
}
