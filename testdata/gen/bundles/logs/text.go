package logs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A message is a text with holes, taken apart once: `took {n:20-900}ms for {pod}`.
type message struct {
	pieces []piece
}

type piece struct {
	text   string // before the hole
	hole   string
	lo, hi int
	words  []string
}

// The words that holes draw from: invented services, as a cluster of a shop would have.
var vocabulary = map[string][]string{
	"ns":   {"orders", "catalog", "payments", "media", "search", "ledger", "mailroom", "warehouse"},
	"app":  {"orders-api", "catalog-web", "payments-worker", "thumbnailer", "search-index", "ledger-sync", "mail-relay", "stock-keeper", "cart", "checkout", "session-cache", "reviews"},
	"node": {"node-a1", "node-a2", "node-a3"},
	"kind": {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ConfigMap", "Service", "EndpointSlice", "Ingress", "Job"},
	"path": {"/healthz", "/readyz", "/v1/items", "/v1/items/4711", "/v1/cart", "/v1/search?q=lamp", "/static/app.js", "/v1/orders", "/metrics"},
	"verb": {"GET", "GET", "GET", "POST", "PUT", "DELETE"},
	"code": {"200", "200", "200", "200", "200", "201", "204", "304", "404", "499"},
	"res":  {"pods", "configmaps", "endpointslices", "leases", "replicasets", "services", "nodes", "secrets", "events"},
	"zone": {"cluster.local.", "svc.cluster.local.", "in-addr.arpa."},
}

func parse(text string) message {
	var m message
	for {
		i := strings.Index(text, "{{")
		if i < 0 {
			m.pieces = append(m.pieces, piece{text: text})
			return m
		}
		j := strings.Index(text[i:], "}}") + i
		p := piece{text: text[:i], hole: text[i+2 : j]}
		if name, span, ok := strings.Cut(p.hole, ":"); ok {
			if _, err := fmt.Sscanf(span, "%d-%d", &p.lo, &p.hi); err != nil {
				panic(fmt.Sprintf("hole %q: %v", p.hole, err))
			}
			p.hole = name
		}
		p.words = vocabulary[p.hole]
		m.pieces = append(m.pieces, p)
		text = text[j+2:]
	}
}

// append writes the message with its holes filled. Unknown holes are mistakes of this program.
func (m message) append(b []byte, r *Rand, t time.Time) []byte {
	for i := range m.pieces {
		p := &m.pieces[i]
		b = append(b, p.text...)
		if p.words != nil {
			b = append(b, p.words[r.IntN(len(p.words))]...)
			continue
		}
		b = r.fill(b, p, t)
	}
	return b
}

func (r *Rand) fill(b []byte, p *piece, t time.Time) []byte {
	switch p.hole {
	case "":
	case "n":
		b = strconv.AppendInt(b, int64(r.Between(p.lo, p.hi)), 10)
	case "z": // with leading zeros to the width of the larger bound
		n := strconv.Itoa(r.Between(p.lo, p.hi))
		for range len(strconv.Itoa(p.hi)) - len(n) {
			b = append(b, '0')
		}
		b = append(b, n...)
	case "f":
		b = strconv.AppendFloat(b, float64(p.lo)+r.Float64()*float64(p.hi-p.lo), 'f', 6, 64)
	case "ip":
		b = append(b, "10.42."...)
		b = strconv.AppendInt(b, int64(r.IntN(3)), 10)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(r.Between(2, 250)), 10)
	case "hex":
		b = r.appendFrom(b, hexDigits, p.lo)
	case "uuid":
		b = r.appendUUID(b)
	case "pod":
		b = append(b, vocabulary["app"][r.IntN(len(vocabulary["app"]))]...)
		b = append(b, '-')
		b = r.appendFrom(b, alnum, 9)
		b = append(b, '-')
		b = r.appendFrom(b, alnum, 5)
	case "rv": // grows with time, as resource versions do
		b = strconv.AppendInt(b, t.Unix()*9%900_000_000+int64(r.IntN(9)), 10)
	case "unixms":
		b = strconv.AppendInt(b, t.UnixMilli()-int64(r.IntN(7_200_000)), 10)
	case "host":
		b = append(b, r.Host...)
	case "rfc":
		b = t.AppendFormat(b, time.RFC3339)
	case "klog":
		b = t.AppendFormat(b, "0102 15:04:05.000000")
	case "slashes":
		b = t.AppendFormat(b, "2006/01/02 15:04:05")
	case "clf":
		b = t.AppendFormat(b, "02/Jan/2006:15:04:05")
	default:
		panic("no such hole: " + p.hole)
	}
	return b
}
