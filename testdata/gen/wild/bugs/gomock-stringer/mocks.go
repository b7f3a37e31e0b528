package main

import (
	"fmt"
	"reflect"

	"go.uber.org/mock/gomock"
)

// Mocks as mockgen writes them, of a consumer and of what it consumes (fmt.Stringer).

type outer struct {
	ctrl     *gomock.Controller
	recorder *outerRecorder
	isgomock struct{}
}

type outerRecorder struct {
	mock *outer
}

func newOuter(ctrl *gomock.Controller) *outer {
	mock := &outer{ctrl: ctrl}
	mock.recorder = &outerRecorder{mock}
	return mock
}

func (m *outer) EXPECT() *outerRecorder {
	return m.recorder
}

func (m *outer) Consume(arg0 fmt.Stringer) {
	m.ctrl.T.Helper()
	m.ctrl.Call(m, "Consume", arg0)
}

func (mr *outerRecorder) Consume(arg0 any) *gomock.Call {
	mr.mock.ctrl.T.Helper()
	return mr.mock.ctrl.RecordCallWithMethodType(mr.mock, "Consume", reflect.TypeOf((*outer)(nil).Consume), arg0)
}

type inner struct {
	ctrl     *gomock.Controller
	recorder *innerRecorder
	isgomock struct{}
}

type innerRecorder struct {
	mock *inner
}

func newInner(ctrl *gomock.Controller) *inner {
	mock := &inner{ctrl: ctrl}
	mock.recorder = &innerRecorder{mock}
	return mock
}

func (m *inner) EXPECT() *innerRecorder {
	return m.recorder
}

func (m *inner) String() string {
	m.ctrl.T.Helper()
	ret := m.ctrl.Call(m, "String")
	ret0, _ := ret[0].(string)
	return ret0
}

func (mr *innerRecorder) String() *gomock.Call {
	mr.mock.ctrl.T.Helper()
	return mr.mock.ctrl.RecordCallWithMethodType(mr.mock, "String", reflect.TypeOf((*inner)(nil).String))
}
