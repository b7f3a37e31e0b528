// Package kube reads what a bundle contains of a cluster: the Kubernetes objects in its YAML and JSON files. It decodes
// only what rules look at, in the order of the bytes, and keeps what is distinct. Begin reading at Reader.Read, which
// cuts a file into items, and at Reader.object, which makes a record of one.
//
//	r := kube.NewReader(store) // one for each file; the store is shared by all
//	err := r.Read(path, stream) // a file of objects, decompressed; what was read before an error stays
//	if kube.WantsLines(path) { r.Note(path, line, num) } // each line of the small text files that describe the bundle
//	objects := r.Close()
//	cluster := kube.Merge(all) // in order of inputs; never nil; Cluster.Count is 0 where no object was read
//
// # What is read
//
// One object, a List of any kind, an array, YAML documents, concatenated JSON values (`kubectl get -w -o json`) and
// watch events ({"type": "MODIFIED", "object": {…}}); the form is found out from the bytes. Objects without a kind
// (items of some lists, Insights archives) get it from their list, their shape or their path. The bytes are cut into
// items, and each item becomes a flat tree of spans over its bytes, so that nothing is copied that no rule asks for.
//
// YAML is read as Kubernetes' own tools write it (sigs.k8s.io/yaml, yaml.v2, yaml.v3): block style, one-line or
// many-line flow collections, plain, quoted, literal and folded scalars. JSON is YAML in flow style, and read by the
// same parser. A document with anchors, aliases, tags or complex keys is counted in Cluster.Cut.
//
// # Versions
//
// An object that is seen more than once (snapshots, watch streams) has a History: which fields differ between
// its versions, and which of them are times. For that, the values of all fields of an object are kept as hashes.
//
// # Bounds
//
// An item has at most maxNodes values. The records of one run take at most the bytes of the Store; objects beyond
// that are counted in Cluster.Cut by kind. An item over maxItem bytes is read as far as that. Nesting beyond maxDepth
// is not looked into.
package kube
