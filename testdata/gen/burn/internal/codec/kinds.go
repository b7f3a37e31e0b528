// Package codec encodes, decodes, compresses and compares more than it should.
package codec

import "example.com/fixtures/burn/run"

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("gzip-writer", "gzip writer made on every call", `^compress/(gzip|flate)\.(NewWriter|\(\*compressor\)\.init)|^compress/gzip\.\(\*Writer\)\.`, "(*Events).pack", startEvents),
		hot("flate-writer", "flate writer made for every frame", `^compress/flate\.NewWriter$`, "(*Frames).deflate", startFrames),
		hot("gzip-bodies", "large bodies compressed", `^compress/gzip\.\(\*Writer\)\.Write$`, "(*Exports).compress", startExports),
		hot("json-compare", "objects marshalled to compare them", `^encoding/json\.Marshal$`, "sameSpec", startSync),
		hot("json-decode", "JSON decoded", `^encoding/json\.(Unmarshal|\(\*Decoder\)\.Decode)$`, "(*Inventory).parse", startInventory),
		hot("json-encode", "JSON encoded", `^encoding/json\.(Marshal|\(\*Encoder\)\.Encode)$`, "(*Catalog).render", startCatalog),
		hot("gob-copy", "gob used to copy objects", `^encoding/gob\.`, "clone", startCopies),
		hot("deep-equal", "reflect.DeepEqual on every call", `^reflect\.DeepEqual$`, "(*Drift).changed", startDrift),
		hot("reflect-walk", "fields found by reflection on every call", `^reflect\.`, "(*Audit).fields", startAudit),
		hot("template-parse", "template parsed on every call", `^(text|html)/template\.\(\*Template\)\.Parse$`, "(*Mailer).render", startMailer),
		hot("regexp-compile", "regular expression compiled on every call", `^regexp\.(MustCompile|Compile)$`, "validName", startNames),
		hot("regexp-match", "regular expression matched against everything", `^regexp\.\(\*Regexp\)\.`, "(*Filter).suspicious", startFilter),
		hot("load-location", "time zone loaded on every call", `^time\.LoadLocation$`, "(*Schedule).local", startSchedule),
		hot("rand-seed", "random source seeded on every call", `^math/rand\.(NewSource|\(\*rngSource\)\.Seed)$`, "(*Backoff).jitter", startBackoff),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("codec", culprit), Category: "hot-cpu", Start: start,
	}
}
