module wild/zstd-reader-open

go 1.26

require (
	github.com/klauspost/compress v1.17.9
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
