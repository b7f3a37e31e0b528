package fetch

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// selectorJSON is a workload's label selector (meta/v1, LabelSelector).
type selectorJSON struct {
	MatchLabels      map[string]string `json:"matchLabels"`
	MatchExpressions []struct {
		Key      string   `json:"key"`
		Operator string   `json:"operator"`
		Values   []string `json:"values"`
	} `json:"matchExpressions"`
}

// selectorOf asks kubectl for the label selector of the target's workload.
func (r *run) selectorOf(ctx context.Context) (string, error) {
	out, err := r.get(ctx, r.o.Target.workload, r.o.Target.pod)
	if isKubectlError(err, "(Forbidden)") {
		return "", &Error{Err: err, Hint: "name its pods: -l SELECTOR, or pod/NAME"}
	}
	if err != nil {
		return "", err
	}
	var w struct {
		Spec struct {
			Selector selectorJSON `json:"selector"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(out, &w); err != nil {
		return "", fmt.Errorf("reading what kubectl says about %s: %w", r.o.Target, err)
	}
	selector := w.Spec.Selector.String()
	if err := checkSelector(selector); err != nil {
		return "", hinted("-l SELECTOR names its pods", "%s has no selector that kubectl takes", r.o.Target)
	}
	return selector, nil
}

// String is the selector as kubectl's --selector takes it, in one order.
func (s selectorJSON) String() string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		parts = append(parts, key+"="+s.MatchLabels[key])
	}
	for _, e := range s.MatchExpressions {
		values := " (" + strings.Join(e.Values, ",") + ")"
		switch e.Operator {
		case "In":
			parts = append(parts, e.Key+" in"+values)
		case "NotIn":
			parts = append(parts, e.Key+" notin"+values)
		case "Exists":
			parts = append(parts, e.Key)
		case "DoesNotExist":
			parts = append(parts, "!"+e.Key)
		default:
			return ""
		}
	}
	return strings.Join(parts, ",")
}
