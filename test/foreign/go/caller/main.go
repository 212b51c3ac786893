// Calls AuthorizationService as the tests tell it: reads calls as lines of JSON, and answers each with a line.
//
//	caller URL connect-go|grpc-go connect|grpc|grpcweb SERVICE
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	authorization "example.com/app/gen/service/authorization/v2"
)

type call struct {
	ID        int               `json:"id"`
	Cancel    bool              `json:"cancel"`
	RPC       string            `json:"rpc"`
	Request   json.RawMessage   `json:"request"`
	Headers   map[string]string `json:"headers"`
	TimeoutMs int               `json:"timeoutMs"`
}

type answer struct {
	ID       int               `json:"id"`
	Code     string            `json:"code"`
	Message  string            `json:"message,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Details  []string          `json:"details,omitempty"`
	Headers  map[string]string `json:"headers"`
	Response json.RawMessage   `json:"response,omitempty"`
}

// transport makes one call, and returns the metadata of its answer.
type transport func(ctx context.Context, c call, in, out proto.Message) (map[string]string, error)

var messages = map[string]func() (in, out proto.Message){
	"ListAuthorizations": func() (proto.Message, proto.Message) {
		return &authorization.ListAuthorizationsRequest{}, &authorization.ListAuthorizationsResponse{}
	},
	"CreateAuthorization": func() (proto.Message, proto.Message) {
		return &authorization.CreateAuthorizationRequest{}, &authorization.CreateAuthorizationResponse{}
	},
	"UpdateAuthorization": func() (proto.Message, proto.Message) {
		return &authorization.UpdateAuthorizationRequest{}, &authorization.UpdateAuthorizationResponse{}
	},
	"DeleteAuthorization": func() (proto.Message, proto.Message) {
		return &authorization.DeleteAuthorizationRequest{}, &authorization.DeleteAuthorizationResponse{}
	},
	"ActivateAuthorization": func() (proto.Message, proto.Message) {
		return &authorization.ActivateAuthorizationRequest{}, &authorization.ActivateAuthorizationResponse{}
	},
	"DeactivateAuthorization": func() (proto.Message, proto.Message) {
		return &authorization.DeactivateAuthorizationRequest{}, &authorization.DeactivateAuthorizationResponse{}
	},
}

func main() {
	url, client, protocol, service := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	send := overConnect(url, protocol, service)
	if client == "grpc-go" {
		send = overGrpc(url, service)
	}
	var mutex sync.Mutex
	cancels := map[int]context.CancelFunc{}
	output := json.NewEncoder(os.Stdout)
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var c call
		if err := json.Unmarshal(input.Bytes(), &c); err != nil {
			panic(err)
		}
		mutex.Lock()
		if c.Cancel {
			cancels[c.ID]()
			mutex.Unlock()
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		if c.TimeoutMs > 0 {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(c.TimeoutMs)*time.Millisecond)
		}
		cancels[c.ID] = cancel
		mutex.Unlock()
		go func() {
			in, out := messages[c.RPC]()
			if err := protojson.Unmarshal(c.Request, in); err != nil {
				panic(err)
			}
			headers, err := send(ctx, c, in, out)
			a := explain(err)
			a.ID, a.Headers = c.ID, headers
			if err == nil {
				a.Response, _ = protojson.MarshalOptions{EmitUnpopulated: true}.Marshal(out)
			}
			mutex.Lock()
			defer mutex.Unlock()
			if err := output.Encode(a); err != nil {
				panic(err)
			}
		}()
	}
}

func overConnect(url, protocol, service string) transport {
	protocols := new(http.Protocols)
	// gRPC needs HTTP/2; the others are tried over HTTP/1.1.
	protocols.SetHTTP1(protocol != "grpc")
	protocols.SetUnencryptedHTTP2(protocol == "grpc")
	client := &http.Client{Transport: &http.Transport{Protocols: protocols, MaxIdleConnsPerHost: 100}}
	options := map[string][]connect.ClientOption{"grpc": {connect.WithGRPC()}, "grpcweb": {connect.WithGRPCWeb()}}[protocol]
	base := url + "/" + service + "/"
	return func(ctx context.Context, c call, in, out proto.Message) (map[string]string, error) {
		switch in := in.(type) {
		case *authorization.ListAuthorizationsRequest:
			return unary[authorization.ListAuthorizationsRequest, authorization.ListAuthorizationsResponse](ctx, client, base, options, c, in, out)
		case *authorization.CreateAuthorizationRequest:
			return unary[authorization.CreateAuthorizationRequest, authorization.CreateAuthorizationResponse](ctx, client, base, options, c, in, out)
		case *authorization.UpdateAuthorizationRequest:
			return unary[authorization.UpdateAuthorizationRequest, authorization.UpdateAuthorizationResponse](ctx, client, base, options, c, in, out)
		case *authorization.DeleteAuthorizationRequest:
			return unary[authorization.DeleteAuthorizationRequest, authorization.DeleteAuthorizationResponse](ctx, client, base, options, c, in, out)
		case *authorization.ActivateAuthorizationRequest:
			return unary[authorization.ActivateAuthorizationRequest, authorization.ActivateAuthorizationResponse](ctx, client, base, options, c, in, out)
		case *authorization.DeactivateAuthorizationRequest:
			return unary[authorization.DeactivateAuthorizationRequest, authorization.DeactivateAuthorizationResponse](ctx, client, base, options, c, in, out)
		}
		panic("unknown request")
	}
}

func unary[I, O any](ctx context.Context, client *http.Client, base string, options []connect.ClientOption, c call, in *I, out proto.Message) (map[string]string, error) {
	request := connect.NewRequest(in)
	for name, value := range c.Headers {
		request.Header().Set(name, value)
	}
	response, err := connect.NewClient[I, O](client, base+c.RPC, options...).CallUnary(ctx, request)
	if err != nil {
		var failed *connect.Error
		if errors.As(err, &failed) {
			return firstOf(failed.Meta()), err
		}
		return nil, err
	}
	proto.Merge(out, any(response.Msg).(proto.Message))
	return firstOf(response.Header()), nil
}

func overGrpc(url, service string) transport {
	conn, err := grpc.NewClient(strings.TrimPrefix(url, "http://"),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(16<<20)))
	if err != nil {
		panic(err)
	}
	return func(ctx context.Context, c call, in, out proto.Message) (map[string]string, error) {
		var header, trailer metadata.MD
		ctx = metadata.NewOutgoingContext(ctx, metadata.New(c.Headers))
		err := conn.Invoke(ctx, "/"+service+"/"+c.RPC, in, out, grpc.Header(&header), grpc.Trailer(&trailer))
		return firstOf(metadata.Join(header, trailer)), err
	}
}

func firstOf[V ~map[string][]string](all V) map[string]string {
	first := map[string]string{}
	for name, values := range all {
		first[strings.ToLower(name)] = values[0]
	}
	return first
}

func explain(err error) answer {
	if err == nil {
		return answer{Code: "ok"}
	}
	var details []any
	var a answer
	var failed *connect.Error
	if errors.As(err, &failed) {
		a = answer{Code: failed.Code().String(), Message: failed.Message()}
		for _, detail := range failed.Details() {
			if value, err := detail.Value(); err == nil {
				details = append(details, value)
			}
			a.Details = append(a.Details, detail.Type())
		}
	} else {
		s := status.Convert(err)
		a = answer{Code: s.Code().String(), Message: s.Message()}
		for _, detail := range s.Proto().GetDetails() {
			a.Details = append(a.Details, strings.TrimPrefix(detail.GetTypeUrl(), "type.googleapis.com/"))
		}
		details = s.Details()
	}
	for _, detail := range details {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			a.Reason, a.Metadata = info.GetReason(), info.GetMetadata()
		}
	}
	return a
}
