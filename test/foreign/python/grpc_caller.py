"""Calls AuthorizationService by grpcio, as callers.py says. It learns the messages from the server's reflection."""

import sys

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

from calls import answer_calls

url, service_name = sys.argv[1:]
channel = grpc.insecure_channel(url.removeprefix("http://"), options=[("grpc.max_receive_message_length", 16 << 20)])
service = DescriptorPool(ProtoReflectionDescriptorDatabase(channel)).FindServiceByName(service_name)


def start(call, answer):
    """Begins a call. Returns the function that cancels it."""
    method = service.methods_by_name[call["rpc"]]
    request, response = (GetMessageClass(type) for type in (method.input_type, method.output_type))
    invoke = channel.unary_unary(
        f"/{service_name}/{method.name}",
        request_serializer=request.SerializeToString,
        response_deserializer=response.FromString,
    )
    future = invoke.future(
        json_format.ParseDict(call["request"], request()),
        timeout=call["timeoutMs"] / 1000 if "timeoutMs" in call else None,
        metadata=[(name.lower(), value) for name, value in call["headers"].items()],
    )
    future.add_done_callback(lambda ended: answer(describe(ended)))
    return future.cancel


def describe(ended):
    if ended.cancelled():
        return {"code": "canceled", "headers": {}}
    code = ended.code().name
    headers = {name: value for name, value in [*ended.initial_metadata(), *ended.trailing_metadata()] if isinstance(value, str)}
    if ended.code() is grpc.StatusCode.OK:
        response = json_format.MessageToDict(ended.result(), always_print_fields_with_no_presence=True)
        return {"code": code, "headers": headers, "response": response}
    status = rpc_status.from_call(ended)
    details = status.details if status else []
    answer = {"code": code, "message": ended.details(), "headers": headers}
    answer["details"] = [detail.type_url.rpartition("/")[2] for detail in details]
    info = error_details_pb2.ErrorInfo()
    for detail in details:
        if detail.Unpack(info):
            answer |= {"reason": info.reason, "metadata": dict(info.metadata)}
    return answer


answer_calls(start)
