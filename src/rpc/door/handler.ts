import type { DescMessage, DescMethod, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** The function that answers an RPC. None of the RPCs streams. */
export type Handler<Method extends DescMethod> =
  Method extends DescMethodUnary<infer I, infer O>
    ? (request: MessageShape<I>, context: HandlerContext) => Promise<Answered<O>> | Answered<O>
    : never;

/** A message, or a list that can be made one. */
export type Answered<O extends DescMessage> = MessageInitShape<O> | QuickList<MessageInitShape<O>>;

/** A list whose JSON is written from its rows. Its message is made for the binary format alone. */
export class QuickList<Message> {
  readonly rows: number;
  readonly json: () => string;
  readonly message: () => Message;

  constructor(rows: number, json: () => string, message: () => Message) {
    this.rows = rows;
    this.json = json;
    this.message = message;
  }
}
