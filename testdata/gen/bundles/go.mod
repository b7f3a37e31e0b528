module example.com/bundles

go 1.26

require (
	github.com/klauspost/compress v1.20.3
	github.com/ulikunitz/xz v0.5.17
)

require example.com/capture v0.0.0

replace example.com/capture => ../capture
