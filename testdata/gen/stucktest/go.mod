module example.com/fixtures/stucktest

go 1.18
