module example.com/fixtures/stuck

go 1.18
