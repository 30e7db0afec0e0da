export interface KillCount {
  readonly kills: number;
  readonly absent: number;
  readonly whole: number;
  readonly recovered: number;
  readonly items: number;
}
export function killWriters(kills: number, seed: number): Promise<Map<string, KillCount>>;
