module wild/fasthttp-expect-body

go 1.26

require (
	github.com/valyala/fasthttp v1.55.0
	wild/kit v0.0.0
)

require (
	github.com/andybalholm/brotli v1.1.0 // indirect
	github.com/klauspost/compress v1.17.9 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/kit => ../../kit
