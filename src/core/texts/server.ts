// The server: what its door refuses and why, and what `holdfast serve` says.
import type { Text } from "../messages.ts";

export const serverTexts = {
  "http.no_token": {
    en: "This needs the server's token.",
    ko: "서버의 토큰이 필요합니다.",
  },
  "http.no_token.hint": {
    en: "Send “Authorization: Bearer <token>”; the token stands in server.json of Holdfast's folder.",
    ko: "“Authorization: Bearer <token>”을 보내세요. 토큰은 Holdfast 폴더의 server.json에 있습니다.",
  },
  "http.foreign_host": {
    en: "The address of this request is not one of this server's.",
    ko: "이 요청의 주소는 이 서버의 주소가 아닙니다.",
  },
  "http.foreign_host.hint": {
    en: "Use the address that “holdfast serve” printed.",
    ko: "“holdfast serve”가 출력한 주소를 쓰세요.",
  },
  "http.foreign_origin": {
    en: "This request comes from another site.",
    ko: "다른 사이트에서 온 요청입니다.",
  },
  "http.foreign_origin.hint": {
    en: "Only this server's own page, and programs with the token, may ask.",
    ko: "이 서버의 페이지와 토큰을 가진 프로그램만 요청할 수 있습니다.",
  },
  "http.wrong_method": {
    en: "{path} does not take {method}.",
    ko: "{path}에는 {method}(을/를) 쓸 수 없습니다.",
  },
  "http.wrong_method.hint": { en: "It takes {allowed}.", ko: "쓸 수 있는 메서드: {allowed}" },
  "http.not_json": {
    en: "The body has to be JSON, and say so.",
    ko: "본문은 JSON이어야 하고 그렇게 표시해야 합니다.",
  },
  "http.not_json.hint": {
    en: "Send “Content-Type: application/json” and one JSON object.",
    ko: "“Content-Type: application/json”과 JSON 객체 하나를 보내세요.",
  },
  "http.bad_body": {
    en: "The body is not a JSON object.",
    ko: "본문이 JSON 객체가 아닙니다.",
  },
  "http.too_large": {
    en: "The body is larger than {limit} bytes.",
    ko: "본문이 {limit}바이트를 넘습니다.",
  },
  "http.too_large.hint": {
    en: "Send less; a large file belongs into the project.",
    ko: "더 작게 보내세요. 큰 파일은 프로젝트에 두는 것이 좋습니다.",
  },
  "http.too_many": {
    en: "Too many requests: {limit} a minute are taken.",
    ko: "요청이 너무 많습니다. 1분에 {limit}개까지 받습니다.",
  },
  "http.too_many.hint": {
    en: "Try again in {seconds} seconds.",
    ko: "{seconds}초 뒤에 다시 시도하세요.",
  },
  "http.too_many_streams": {
    en: "{limit} streams are open already.",
    ko: "이미 스트림 {limit}개가 열려 있습니다.",
  },
  "http.too_many_streams.hint": {
    en: "Close one: a page or program that nobody looks at any more.",
    ko: "더 보지 않는 페이지나 프로그램을 닫으세요.",
  },
  "http.no_stream": {
    en: "Events are streamed over a connection of their own.",
    ko: "이벤트는 전용 연결로 전달합니다.",
  },
  "http.unknown_route": {
    en: "There is nothing at {path}.",
    ko: "{path}에는 아무것도 없습니다.",
  },
  "http.hint": {
    en: "GET /api shows every operation and its fields.",
    ko: "GET /api에서 모든 작업과 필드를 볼 수 있습니다.",
  },
  "http.unreadable": {
    en: "The request can not be read.",
    ko: "요청을 읽을 수 없습니다.",
  },
  "http.unreadable.hint": {
    en: "Send plain HTTP/1.1 with short headers.",
    ko: "짧은 헤더의 HTTP/1.1 요청을 보내세요.",
  },
  "http.given_twice": {
    en: "“{field}” stands in the path already.",
    ko: "“{field}”(은/는) 이미 경로에 있습니다.",
  },
  "http.unending": {
    en: "“{field}” is for the command line: an answer has to end.",
    ko: "“{field}”(은/는) 명령줄에서만 쓸 수 있습니다. 응답은 끝나야 합니다.",
  },
  "http.unending.hint": {
    en: "GET /api/events streams what happens.",
    ko: "GET /api/events로 실시간 이벤트를 받을 수 있습니다.",
  },
  "http.bad_event_id": {
    en: "“{given}” is not the number of an event.",
    ko: "“{given}”(은/는) 이벤트 번호가 아닙니다.",
  },
  "page.title": { en: "Holdfast · API", ko: "Holdfast · API" },
  "page.about": {
    en: "Everything Holdfast can do, over HTTP. Each call needs the token; errors have the form {form}.",
    ko: "Holdfast의 모든 기능을 HTTP로 쓸 수 있습니다. 모든 호출에 토큰이 필요하고, 오류는 {form} 형식입니다.",
  },
  "page.input": { en: "Takes", ko: "입력" },
  "page.output": { en: "Gives", ko: "결과" },
  "page.required": { en: "required", ko: "필수" },
  "page.none": { en: "nothing", ko: "없음" },
  "page.events": {
    en: "Live events (server-sent): every transition with its number, and which tasks changed",
    ko: "실시간 이벤트(SSE): 번호가 붙은 모든 상태 전이와 바뀐 작업",
  },
  "page.zip": { en: "The deliverables of a task as a ZIP file", ko: "작업의 산출물 ZIP 파일" },
  "page.openapi": { en: "This list as OpenAPI", ko: "이 목록의 OpenAPI 문서" },
  "page.metrics": { en: "Figures for Prometheus", ko: "Prometheus용 지표" },
  "page.healthz": { en: "Is the server up? Needs no token", ko: "서버 상태 확인(토큰 필요 없음)" },
  "page.session": {
    en: "Exchanges the token for a cookie, for a browser",
    ko: "브라우저용 쿠키 발급(토큰과 교환)",
  },
  "page.index": { en: "This page", ko: "이 페이지" },
  "page.enter": {
    en: "The page. Needs no token: it opens a session",
    ko: "화면(토큰 필요 없음, 세션을 엽니다)",
  },
  "page.server": {
    en: "Slots, agents and today's cost",
    ko: "슬롯, 에이전트, 오늘 쓴 비용",
  },
  "page.asset": { en: "A file of the page. Needs no token", ko: "화면의 파일(토큰 필요 없음)" },
  "op.task.inbox": {
    en: "What waits for a person, across all tasks",
    ko: "모든 작업에서 사람을 기다리는 일",
  },
  "op.task.types": { en: "The task types of this project", ko: "이 프로젝트의 작업 유형" },
  "op.task.projects": { en: "The projects Holdfast knows", ko: "Holdfast가 아는 프로젝트" },
  "cli.inbox.none": { en: "Nothing waits for you.", ko: "기다리는 일이 없습니다." },
  "cli.inbox.held": {
    en: "held: {why} (then: holdfast task resume)",
    ko: "멈춤: {why} (고친 뒤: holdfast task resume)",
  },
  "cli.inbox.review": { en: "review of phase {phase}", ko: "{phase}단계 리뷰" },
  "cli.inbox.blocked": {
    en: "waits for tasks that failed or were deleted: {ids}",
    ko: "실패했거나 삭제된 작업을 기다림: {ids}",
  },
  "cli.inbox.blocks": { en: "blocks {count}", ko: "{count}개를 막고 있음" },
  "cli.task.example.inbox": {
    en: "What needs you, the most blocking first",
    ko: "지금 해야 할 일(가장 많이 막는 것부터)",
  },
  "cli.task.example.types": { en: "What a task can be", ko: "만들 수 있는 작업 유형" },
  "cli.task.example.projects": { en: "All projects", ko: "모든 프로젝트" },
  "server.running": {
    en: "A server of this home runs already: {url} (process {pid}).",
    ko: "이 홈의 서버가 이미 실행 중입니다: {url} (프로세스 {pid})",
  },
  "server.starting": {
    en: "Another server of this home is just starting or ending.",
    ko: "이 홈의 다른 서버가 막 시작하거나 끝나는 중입니다.",
  },
  "server.running.hint": {
    en: "Open its page with “holdfast serve --open”, end it first, or give this one its own HOLDFAST_HOME.",
    ko: "“holdfast serve --open”으로 그 서버의 페이지를 열거나, 먼저 끝내거나, HOLDFAST_HOME을 따로 지정하세요.",
  },
  // Nothing behind the address, as in server.ready.
  "server.opened": {
    en: "A server of this home is already running (process {pid}). Opening {url}",
    ko: "이 홈의 서버가 이미 실행 중입니다(프로세스 {pid}). 여는 주소: {url}",
  },
  "server.port_taken": {
    en: "Port {port} is taken by another program.",
    ko: "다른 프로그램이 {port} 포트를 쓰고 있습니다.",
  },
  "server.port_taken.hint": {
    en: "Choose another with --port, or let the system choose with --port 0.",
    ko: "--port로 다른 포트를 고르거나 --port 0으로 맡기세요.",
  },
  "server.port_denied": {
    en: "Port {port} may not be used by this user.",
    ko: "이 사용자는 {port} 포트를 쓸 수 없습니다.",
  },
  "server.bad_port": {
    en: "“--port” takes a whole number from 0 to 65535.",
    ko: "“--port”에는 0부터 65535까지의 정수가 필요합니다.",
  },
  "server.bad_slots": {
    en: "“--slots” takes a whole number from 1 to 1000.",
    ko: "“--slots”에는 1부터 1000까지의 정수가 필요합니다.",
  },
  "server.bad_floor": {
    en: "“--disk-floor” takes a whole number of megabytes, 0 or more.",
    ko: "“--disk-floor”에는 0 이상의 정수(메가바이트)가 필요합니다.",
  },
  "server.no_address": {
    en: "There is no address {host} on this machine.",
    ko: "이 컴퓨터에 {host}라는 주소가 없습니다.",
  },
  "server.no_address.hint": {
    en: "Leave --host out: the server is then reached from this machine alone.",
    ko: "--host를 빼면 이 컴퓨터에서만 접속할 수 있습니다.",
  },
  "server.remote": {
    en: "{host} can be reached from other machines, and what travels there is not encrypted.",
    ko: "{host}(은/는) 다른 컴퓨터에서 접속할 수 있고 통신이 암호화되지 않습니다.",
  },
  "server.remote.hint": {
    en: "Better: leave --host out and use an SSH tunnel. If you mean it, add --allow-remote.",
    ko: "--host를 빼고 SSH 터널을 쓰는 것이 좋습니다. 정말 열려면 --allow-remote를 더하세요.",
  },
  // Nothing behind the address: a terminal would take it for a part of it.
  "server.ready": { en: "Holdfast is running at {url}", ko: "Holdfast 실행 중: {url}" },
  "server.ready.stop": {
    en: "Ctrl-C stops it; agents go on, and the next start finds them.",
    ko: "Ctrl-C로 멈춥니다. 에이전트는 계속 일하고, 다음에 시작할 때 이어집니다.",
  },
  "server.stopping": { en: "Stopping …", ko: "멈추는 중 …" },
  "server.stopped": {
    en: "Stopped. No agent is at work. “holdfast serve” goes on where it was.",
    ko: "멈췄습니다. 일하는 에이전트가 없습니다. “holdfast serve”로 이어서 할 수 있습니다.",
  },
  "server.stopped_agents": {
    en: "Stopped. {count} agent(s) live on; “holdfast serve” goes on with them.",
    ko: "멈췄습니다. 에이전트 {count}개가 살아 있습니다. “holdfast serve”로 이어서 할 수 있습니다.",
  },
  "server.no_browser": {
    en: "No browser could be opened; open the address yourself.",
    ko: "브라우저를 열 수 없습니다. 주소를 직접 여세요.",
  },
  "op.serve": { en: "run the server", ko: "서버 실행" },
  "op.serve.port": {
    en: "the port (default 4317; 0: any that is free)",
    ko: "포트(기본값 4317, 0이면 비어 있는 포트)",
  },
  "op.serve.host": {
    en: "the address to listen at (default 127.0.0.1)",
    ko: "접속을 받을 주소(기본값 127.0.0.1)",
  },
  "op.serve.slots": {
    en: "how many agents may work at once (default: as holdfast.yaml says, else 4)",
    ko: "동시에 일할 에이전트 수(기본값: holdfast.yaml의 값, 없으면 4)",
  },
  "op.serve.disk_floor": {
    en: "free megabytes below which agents stand still; 0: never (default: as holdfast.yaml says, else 512)",
    ko: "남은 공간이 이 메가바이트보다 적으면 에이전트를 멈춤, 0이면 멈추지 않음(기본값: holdfast.yaml의 값, 없으면 512)",
  },
  "op.serve.strict_markers": {
    en: "an agent's markers count only with the token its process was given",
    ko: "프로세스마다 받은 토큰이 있는 마커만 인정",
  },
  "op.serve.open": {
    en: "open the page in a browser, also of a server that is already running",
    ko: "브라우저에서 페이지 열기(이미 실행 중인 서버가 있으면 그 서버의 페이지)",
  },
  "op.serve.allow_remote": {
    en: "allow an address that other machines can reach",
    ko: "다른 컴퓨터에서 접속할 수 있는 주소 허용",
  },
  "cli.serve.example.plain": { en: "on this machine alone", ko: "이 컴퓨터에서만" },
  "cli.serve.example.port": {
    en: "at a free port, with two agents at once",
    ko: "비어 있는 포트에서 에이전트 두 개로",
  },
} as const satisfies Record<string, Text>;
