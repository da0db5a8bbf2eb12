// The names of a league's teams, requested once: name, abbreviation and nickname.

import { getIfThere } from "./api.js";
import { teamName } from "./words.js";

/** @import { Answer } from "./api.js" */
/** @import { League } from "./words.js" */
/** @typedef {Answer<"/api/v1/teams/{sport}">["teams"][number]} Team */

/** The names of teams, by slug or by name. A team that the server does not list has its name alone. */
export class TeamNames {
  /** @type {Map<string, Team>} */
  #teams;

  /** @param {Team[]} [listed] */
  constructor(listed = []) {
    this.#teams = new Map(
      listed.flatMap((team) => [
        [team.name, team],
        [team.team, team],
      ]),
    );
  }

  /**
   * Returns the name: `Green Bay Packers`.
   * @param {string} team A slug, or a name.
   */
  name(team) {
    return this.#teams.get(team)?.name ?? (/^[a-z0-9_]+$/.test(team) ? teamName(team) : team);
  }

  /**
   * Returns the short name: `Packers`; of a school its name.
   * @param {string} team
   */
  short(team) {
    return this.#teams.get(team)?.nickname || this.name(team);
  }

  /**
   * Returns the abbreviation: `GB`; empty if there is none.
   * @param {string} team
   */
  abbreviation(team) {
    return this.#teams.get(team)?.abbreviation ?? "";
  }
}

/** The answers, by league. */
const asked = /** @type {Map<League, Promise<TeamNames>>} */ (new Map());

/**
 * Returns the names of a league's teams; after a failure, names made of slugs, and the next view asks again.
 * @param {League} sport
 */
export async function teamsOf(sport) {
  const answer = asked.get(sport) ?? request(sport);
  asked.set(sport, answer);
  return answer.catch(() => {
    asked.delete(sport);
    return new TeamNames();
  });
}

/** @param {League} sport */
async function request(sport) {
  const answer = await getIfThere("/api/v1/teams/{sport}", { path: { sport } });
  return new TeamNames(answer?.teams);
}
