// Words of this trade that mean the same, in both languages: who asks for 세션 is shown what was
// written about a session. Only words that every project has; small, so that it stays true.
import { englishStem } from "./_words-english.ts";

/** What else a stem may be called; none: an empty list. */
export function sameAs(stem: string): readonly string[] {
  return same.get(stem) ?? [];
}

// --- internal ---

// oxfmt-ignore
const groups: readonly string[] = [
  "인증 auth authentication", "로그인 login signin", "세션 session", "비밀번호 암호 password", "토큰 token", "권한 permission role", "암호화 encrypt",
  "결제 payment pay", "이메일 메일 email mail", "알림 notification", "경보 alert alarm", "로그 log", "캐시 cache", "큐 대기열 queue", "서버 server",
  "데이터베이스 database db", "스키마 schema", "마이그레이션 migration", "색인 인덱스 index", "백업 backup", "복구 복원 restore recover", "배포 deploy release",
  "테스트 시험 test", "오류 에러 error", "버그 bug", "고장 장애 outage", "실패 fail", "성공 success", "재시도 retry", "제한 한도 limit", "예산 budget", "비용 cost",
  "저장 보관 store save keep", "삭제 지우 없애 delete remove", "변경 바꾸 change", "추가 add", "취소 cancel", "검색 찾 search find", "정렬 sort order", "목록 list",
  "사용자 유저 user", "관리자 admin administrator", "설정 setting config configuration", "파일 file", "폴더 folder directory", "경로 path", "이미지 사진 image photo picture",
  "화면 screen page", "버튼 button", "메뉴 menu", "번역 translate translation", "시간 time", "시간대 timezone", "날짜 date", "속도 성능 speed performance", "메모리 memory",
  "디스크 disk", "네트워크 network", "병합 merge", "충돌 conflict", "검토 review", "승인 approve", "질문 question", "대답 답변 answer", "결정 decide decision",
  "이유 까닭 원인 reason cause", "규칙 정책 rule policy", "계획 plan", "작업 task work", "단계 phase step", "의존성 dependency", "키 열쇠 key", "웹훅 webhook", "잠금 lock",
];

const same: ReadonlyMap<string, readonly string[]> = new Map(
  groups.flatMap((line) => {
    const words = [
      ...new Set(line.split(" ").map((word) => (/^[a-z]/.test(word) ? englishStem(word) : word))),
    ];
    return words.map((word): [string, string[]] => [word, words.filter((other) => other !== word)]);
  }),
);
