package steptest

import "testing"

func TestChangesKnowsTheVerbs(t *testing.T) {
	for command, want := range map[string]bool{
		"kill -ABRT PID": true,
		"kubectl -n shop exec web-0 -c app -- kill -ABRT 1":                              true,
		"kubectl debug -it POD --image=busybox --target=CONTAINER -- kill -ABRT 1":       true,
		"kubectl -n shop debug -it web-0 --image=busybox -- sh -c 'kill -ABRT 1'":        true,
		"kubectl -n 'a b' scale deployment web --replicas=0":                             true,
		"kubectl delete pods --field-selector=status.phase=Failed":                       true,
		"kubectl -n shop rollout restart deployment web":                                 true,
		"kubectl annotate pod web-0 a=b":                                                 true,
		"kubectl -n shop get pod delete -o yaml":                                         false,
		"kubectl -n scale describe pod debug":                                            false,
		"for p in b c; do kubectl -n ns logs \"$p\"; done":                               false,
		"git log -3 -L1,1:a.go":                                                          false,
		"go build -race":                                                                 false,
		"curl -s http://localhost:6060/debug/pprof/goroutine > after.txt":                false,
		"unzip -p b.zip delete > x":                                                      false,
		"go tool pprof -symbolize=local -proto -output named.pb.gz BINARY cpu.pb.gz":     false,
		"triage fetch pod/web-0 -n shop --port 6060":                                     false,
		"kubectl api-resources -o name | xargs -n 1 kubectl -n shop get":                 false,
		"dmesg | grep -i kill":                                                           false,
		"kubectl api-resources -o name | xargs -n 1 kubectl -n shop delete --all --wait": true,
	} {
		if Changes(command) != want {
			t.Errorf("%s: %v", command, !want)
		}
	}
}
