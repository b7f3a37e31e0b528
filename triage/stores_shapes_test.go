package triage_test

import (
	"fmt"
	"slices"
	"time"
)

// A storeShape is how one store or its client writes a log. backward marks those whose newest record comes first.
type storeShape struct {
	name     string
	backward bool
	write    func(log []entry) []byte
}

func kubernetesOf() object {
	return object{
		{"namespace_name", storeNamespace}, {"pod_name", storePod}, {"container_name", storeContainer}, {"host", "node-3"},
		{"labels", object{{"app", "harbor"}}},
	}
}

// lokiBody is the answer of /loki/api/v1/query_range.
func lokiBody(log []entry) []byte {
	values := listOf(log, func(e entry) any { return []string{nanos(e), e.text} })
	return jsonOf(object{{"status", "success"}, {"data", object{
		{"resultType", "streams"}, {"result", []any{object{{"stream", storeLabels}, {"values", values}}}},
		{"stats", object{{"summary", object{{"totalBytesProcessed", 1234567}}}}},
	}}})
}

func exploreJSON(log []entry) []byte {
	return prettyOf(listOf(log, func(e entry) any {
		return object{
			{"line", e.text}, {"timestamp", nanos(e)}, {"fields", storeLabels},
			{"date", e.at.Format("2006-01-02T15:04:05.000Z")},
		}
	}))
}

func elasticHit(e entry) any {
	return object{
		{"_index", "logs-harbor-2026.11.21"}, {"_id", "a" + nanos(e)}, {"_score", nil},
		{"_source", object{
			{"@timestamp", rfc3339(e)}, {"stream", "stderr"}, {"message", e.text}, {"log", object{{"offset", 77}}},
			{"kubernetes", object{
				{"pod", object{{"name", storePod}, {"uid", "3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90"}}}, {"namespace", storeNamespace},
				{"container", object{{"name", storeContainer}}},
			}},
		}},
		{"sort", []int64{e.at.UnixMilli()}},
	}
}

func elasticBody(log []entry) []byte {
	return jsonOf(object{{"took", 17}, {"timed_out", false}, {"hits", object{
		{"total", object{{"value", 10000}, {"relation", "gte"}}}, {"hits", listOf(log, elasticHit)},
	}}})
}

func flat(e entry) any { return object{{"@timestamp", rfc3339(e)}, {"message", e.text}} }

func vector(e entry) any {
	return object{
		{"file", "/var/log/pods/" + storeNamespace + "_" + storePod + "_x/controller/1.log"}, {"kubernetes", kubernetesOf()},
		{"message", e.text}, {"source_type", "kubernetes_logs"}, {"stream", "stderr"}, {"timestamp", rfc3339(e)},
	}
}

func cloudWatch(log []entry) []byte {
	return prettyOf(object{{"events", listOf(log, func(e entry) any {
		return object{
			{"logStreamName", storePod}, {"timestamp", e.at.UnixMilli()}, {"message", e.text},
			{"ingestionTime", log[len(log)-1].at.UnixMilli()}, {"eventId", nanos(e)},
		}
	})}, {"searchedLogStreams", []any{}}})
}

func gcloud(log []entry) []byte {
	return prettyOf(listOf(log, func(e entry) any {
		return object{
			{"insertId", "x" + nanos(e)}, {"labels", object{{"k8s-pod/app", "harbor"}}}, {"logName", "projects/p/logs/stderr"},
			{"receiveTimestamp", e.at.Add(time.Second).Truncate(time.Second).Format(time.RFC3339)},
			{"resource", object{{"labels", object{
				{"cluster_name", "c"}, {"container_name", storeContainer}, {"namespace_name", storeNamespace}, {"pod_name", storePod},
			}}, {"type", "k8s_container"}}},
			{"severity", "ERROR"}, {"textPayload", e.text}, {"timestamp", rfc3339(e)},
		}
	}))
}

func datadog(log []entry) []byte {
	return jsonOf(object{{"data", listOf(log, func(e entry) any {
		return object{{"id", "A" + nanos(e)}, {"type", "log"}, {"attributes", object{
			{"status", "error"}, {"service", "harbor"}, {"timestamp", rfc3339(e)}, {"host", "node-3"}, {"message", e.text},
			{"tags", []string{"kube_namespace:" + storeNamespace, "pod_name:" + storePod, "kube_container_name:" + storeContainer}},
		}}}
	})}})
}

func splunkJSON(e entry) any {
	return object{{"preview", false}, {"offset", 0}, {"result", object{
		{"_raw", e.text}, {"_time", e.at.Format("2006-01-02 15:04:05.000000000 MST")}, {"host", "node-3"},
		{"source", "/var/log/containers/" + storePod + "_" + storeNamespace + "_" + storeContainer + "-0123.log"},
		{"sourcetype", "kube:container:controller"},
	}}}
}

// otlpLogs is what an OpenTelemetry collector's file exporter writes.
func otlpLogs(log []entry) any {
	text := func(key, val string) object {
		return object{{"key", key}, {"value", object{{"stringValue", val}}}}
	}
	return object{{"resourceLogs", []any{object{
		{"resource", object{{"attributes", []any{
			text("k8s.namespace.name", storeNamespace), text("k8s.pod.name", storePod), text("k8s.container.name", storeContainer),
		}}}},
		{"scopeLogs", []any{object{{"scope", object{}}, {"logRecords", listOf(log, func(e entry) any {
			return object{
				{"timeUnixNano", nanos(e)}, {"observedTimeUnixNano", fmt.Sprint(log[len(log)-1].at.UnixNano())},
				{"body", object{{"stringValue", e.text}}}, {"attributes", []any{text("log.iostream", "stderr")}},
			}
		})}}}},
	}}}}
}

func azure(log []entry) []byte {
	return jsonOf(listOf(log, func(e entry) any {
		return object{
			{"TimeGenerated", e.at.Format("2006-01-02T15:04:05.9999999Z")}, {"Computer", "aks-1"}, {"ContainerName", storeContainer},
			{"LogMessage", e.text}, {"LogSource", "stderr"}, {"PodName", storePod}, {"PodNamespace", storeNamespace},
			{"Type", "ContainerLogV2"},
		}
	}))
}

func openObserve(e entry) any {
	return object{
		{"_timestamp", e.at.UnixMicro()}, {"kubernetes_container_name", storeContainer}, {"kubernetes_namespace_name", storeNamespace},
		{"kubernetes_pod_name", storePod}, {"log", e.text}, {"stream", "stderr"},
	}
}

func victoria(e entry) any {
	return object{
		{"_time", rfc3339(e)}, {"_stream_id", "0000000000000000e934a84adb05276890d7f7bfcadabe92"},
		{"_stream", `{kubernetes.pod_name="` + storePod + `"}`}, {"_msg", e.text}, {"kubernetes.pod_name", storePod},
		{"kubernetes.namespace_name", storeNamespace}, {"kubernetes.container_name", storeContainer}, {"stream", "stderr"},
	}
}

func lines(record func(entry) any) func([]entry) []byte {
	return func(log []entry) []byte { return jsonLines(log, record) }
}

func turned(write func([]entry) []byte) func([]entry) []byte {
	return func(log []entry) []byte { return write(backward(log)) }
}

func otlpLines(log []entry) []byte {
	return jsonLines(slices.Collect(slices.Chunk(log, 100)), otlpLogs)
}

func table(columns []string, row func(entry) []string) func([]entry) []byte {
	return func(log []entry) []byte { return csvOf(',', columns, log, row) }
}

// storeShapes are the exports that people have sent, and some that nobody has.
var storeShapes = []storeShape{
	{"logcli -o jsonl", false, lines(func(e entry) any {
		return object{{"labels", storeLabels}, {"line", e.text}, {"timestamp", rfc3339(e)}}
	})},
	{"logcli -o jsonl, newest first", true, turned(lines(func(e entry) any {
		return object{{"labels", storeLabels}, {"line", e.text}, {"timestamp", rfc3339(e)}}
	}))},
	{"fluent-bit", false, lines(func(e entry) any { return object{{"log", e.text + "\n"}} })},
	{"VictoriaLogs", false, lines(victoria)},
	{"Loki, forward", false, lokiBody},
	{"Loki, backward", true, turned(lokiBody)},
	{"Grafana Explore", true, turned(exploreJSON)},
	{"Elasticsearch hits", false, lines(elasticHit)},
	{"Elasticsearch _search", false, elasticBody},
	{"Elasticsearch _search, newest first", true, turned(elasticBody)},
	{"flat", false, lines(flat)},
	{"flat, newest first", true, turned(lines(flat))},
	{"Vector", false, lines(vector)},
	{"CloudWatch filter-log-events", false, cloudWatch},
	{"CloudWatch Insights", false, func(log []entry) []byte {
		return jsonOf(object{{"results", listOf(log, func(e entry) any {
			return []any{
				object{{"field", "@timestamp"}, {"value", e.at.Format("2006-01-02 15:04:05.000")}},
				object{{"field", "@message"}, {"value", e.text}}, object{{"field", "@ptr"}, {"value", "Cm" + nanos(e)}},
			}
		})}, {"status", "Complete"}})
	}},
	{"gcloud logging read", true, turned(gcloud)},
	{"Datadog", true, turned(datadog)},
	{"Splunk JSON", true, turned(lines(splunkJSON))},
	{"OTLP file", false, func(log []entry) []byte { return jsonOf(otlpLogs(log)) }},
	{"OTLP lines", false, otlpLines},
	{"Azure ContainerLogV2", false, azure},
	{"OpenObserve", false, lines(openObserve)},
	{"Splunk CSV", true, turned(table([]string{"_raw", "_time", "host", "source"}, func(e entry) []string {
		return []string{e.text, e.at.Format("2006-01-02T15:04:05.000000000-0700"), "node-3", "tcp:514"}
	}))},
	{"Datadog CSV", true, turned(table([]string{"Date", "Host", "Service", "Message"}, func(e entry) []string {
		return []string{rfc3339(e), "node-3", "harbor", e.text}
	}))},
	{"Kibana CSV", true, turned(table([]string{"@timestamp", "kubernetes.pod.name", "message"}, func(e entry) []string {
		return []string{e.at.Format("Jan 2, 2006 @ 15:04:05.000"), storePod, e.text}
	}))},
	{"Azure CSV", false, table([]string{"TimeGenerated [UTC]", "PodName", "LogMessage"}, func(e entry) []string {
		return []string{e.at.Format("1/2/2006, 3:04:05.000 PM"), storePod, e.text}
	})},
	{"Kusto tables", false, func(log []entry) []byte {
		return jsonOf(object{{"tables", []any{object{
			{"name", "PrimaryResult"},
			{"columns", []any{
				object{{"name", "TimeGenerated"}, {"type", "datetime"}}, object{{"name", "LogMessage"}, {"type", "string"}},
			}},
			{"rows", listOf(log, func(e entry) any { return []any{rfc3339(e), e.text} })},
		}}}})
	}},
}
