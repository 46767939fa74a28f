//! Who may do what: one line per route and case, one column per caller.
//!
//! The callers, in order: nobody; a guest and a registered player who have
//! nothing to do with the game; its creator, who has White; the opponent; one
//! who is invited to watch; tokens of the creator with the one scope `read`,
//! `play`, `challenge`, `bot`, `service`; a token of an administrator with the
//! scope `admin`; one of theirs with every scope; and the operator's console.
//!
//! The case says in which state the game is (see `Cast::game`), with a star if
//! it is private, or what the body asks for. A cell is the status, with the
//! reason for a 403: `s` for `missing_scope`, `p` for `not_a_player`, `i` for
//! `not_invited`, `t` for `session_required`. Errors that are no matter of rights
//! (409: the wrong turn, no offer to answer, one's own game) show that a caller
//! got past that.

pub(crate) const TABLE: &str = "
#      Open to all.                                        none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /health                                   -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /ready                                    -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /metrics                                  -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/openapi.json                          -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/asyncapi.json                         -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /mcp                                      active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /mcp                                      active*   200   200   200   200   200   200   200   200   200   200   200   200   200   200

#      Accounts, tokens, players.                          none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
POST   /v1/accounts                              -         201   201   201   201   201   201   403s  201   201   201   201   201   201   201
POST   /v1/sessions                              -         201   201   201   201   201   201   201   201   201   201   201   201   201   201
DELETE /v1/sessions/current                      -         401   204   204   204   204   204   403s  204   204   204   204   204   204   204
POST   /v1/guests                                -         201   201   201   201   201   201   201   201   201   201   201   201   201   201
GET    /v1/me                                    -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PATCH  /v1/me                                    -         401   200   200   200   200   200   403s  403s  403s  403s  403s  403s  200   403s
DELETE /v1/me                                    -         401   204   204   204   204   204   403s  403s  403s  403s  403s  403s  204   403s
GET    /v1/me/preferences                        -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PUT    /v1/me/preferences                        -         401   200   200   200   200   200   403s  403s  403s  403s  403s  403s  200   403s
POST   /v1/me/adopt                              -         401   409   422   422   422   422   403s  403s  403s  403s  403s  403s  422   403s
GET    /v1/me/export                             -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/tokens                                -         401   201   201   201   201   201   403s  403t  403t  403t  403t  403t  403t  403t
POST   /v1/tokens                                power     401   403s  403s  403s  403s  403s  403s  403t  403t  403t  403t  403t  403t  403t
GET    /v1/tokens                                -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
DELETE /v1/tokens/{id}                           -         401   404   404   204   404   404   403s  204   403s  403s  403s  404   404   404
GET    /v1/players                               -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/players/{name}/rating-history         -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/leaderboards/{speed}                  -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/me/blocks                             -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PUT    /v1/me/blocks                             -         401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s
PUT    /v1/me/blocks/{name}                      -         401   204   204   204   204   204   403s  204   403s  403s  403s  403s  204   403s
DELETE /v1/me/blocks/{name}                      -         401   204   204   204   204   204   403s  204   403s  403s  403s  403s  204   403s
GET    /v1/me/vacation                           -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PUT    /v1/me/vacation                           -         401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s
GET    /v1/me/xmpp                               -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/me/xmpp                               -         401   409   409   409   409   409   403s  403s  403s  403s  403s  403s  409   403s
DELETE /v1/me/xmpp/{jid}                         -         401   404   404   404   404   404   403s  403s  403s  403s  403s  403s  404   403s
GET    /v1/me/follows                            -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PUT    /v1/me/follows/{name}                     -         401   204   204   204   204   204   403s  204   403s  403s  403s  403s  204   403s
DELETE /v1/me/follows/{name}                     -         401   204   204   204   204   204   403s  204   403s  403s  403s  403s  204   403s
GET    /v1/me/notifications                      -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
PUT    /v1/me/notifications                      -         401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s
GET    /v1/me/push                               -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/me/push                               -         401   201   201   201   201   201   403s  201   403s  403s  403s  403s  201   403s
DELETE /v1/me/push/{id}                          -         401   404   404   404   404   404   403s  404   403s  403s  403s  403s  404   403s
POST   /v1/me/email/confirm                      -         401   409   409   409   409   409   403s  403s  403s  403s  403s  403s  409   403s
POST   /v1/password-resets                       -         409   409   409   409   409   409   409   409   409   409   409   409   409   409
POST   /v1/password-resets/complete              -         403   403   403   403   403   403   403   403   403   403   403   403   403   403
GET    /v1/mail/confirm                          -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
POST   /v1/mail/confirm                          -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
GET    /v1/mail/reset                            -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
POST   /v1/mail/reset                            -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
GET    /v1/mail/unsubscribe                      -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
POST   /v1/mail/unsubscribe                      -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
DELETE /v1/me/notices/{id}                       -         401   404   404   404   404   404   403s  404   403s  403s  403s  403s  404   403s
POST   /v1/reports                               -         401   201   201   201   201   201   403s  201   403s  403s  403s  403s  201   403s
GET    /v1/players/{name}                        -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/players/{name}/games                  -         200   200   200   200   200   200   200   200   200   200   200   200   200   200

#      Events for services.                                none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /v1/events                                -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/webhooks                              -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/webhooks                              -         401   403   201   201   201   201   403s  201   403s  403s  201   201   201   201
POST   /v1/webhooks                              all       401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  201   201   201
DELETE /v1/webhooks/{id}                         -         401   404   404   404   404   404   403s  404   403s  403s  404   404   404   404
POST   /v1/webhooks/{id}/rotate                  -         401   404   404   404   404   404   403s  404   403s  403s  404   404   404   404
GET    /v1/webhooks/{id}/deliveries              -         401   404   404   404   404   404   404   404   404   404   404   404   404   404
POST   /v1/webhooks/{id}/deliveries/{delivery}/redeliver - 401   404   404   404   404   404   403s  404   403s  403s  404   404   404   404

#      Games.                                              none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
POST   /v1/games                                 -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
POST   /v1/games                                 service   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  201   403s  201   403s
POST   /v1/games/bot                             -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
GET    /v1/games                                 -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/export/games                          -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/tv                                    -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/lobby                                 -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/lobby/stream                          -         426   426   426   426   426   426   426   426   426   426   426   426   426   426
GET    /v1/lobby/events                          -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/matchmaking/queue                     -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
GET    /v1/matchmaking/queue/{id}                -         401   404   404   404   404   404   404   404   404   404   404   404   404   404
DELETE /v1/matchmaking/queue/{id}                -         401   404   404   404   404   404   403s  404   404   403s  403s  403s  404   403s
GET    /v1/matchmaking/pools                     -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/challenges                            -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/stream                                -         426   426   426   426   426   426   426   426   426   426   426   426   426   426
GET    /v1/games/{id}/stream                     active    426   426   426   426   426   426   426   426   426   426   426   426   426   426
GET    /v1/games/{id}/stream                     active*   426   426   426   426   426   426   426   426   426   426   426   426   426   426
GET    /v1/games/{id}/events                     active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/events                     active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/games/join                            open      401   200   200   409   200   200   403s  409   409   403s  403s  403s  200   403s
POST   /v1/games/join                            open*     401   200   200   409   200   200   403s  409   409   403s  403s  403s  200   403s
POST   /v1/games/{id}/join                       open      401   200   200   409   200   200   403s  409   409   403s  403s  403s  200   403s
POST   /v1/games/{id}/join                       open*     401   404   404   409   404   200   403s  409   409   403s  403s  403s  403i  403s
POST   /v1/games/{id}/join                       meant     401   403i  403i  409   200   403i  403s  409   409   403s  403s  403s  403i  403s
POST   /v1/games/{id}/join                       meant*    401   404   404   409   200   403i  403s  409   409   403s  403s  403s  403i  403s
POST   /v1/games/{id}/join                       rated*    401   404   404   409   200   403i  403s  409   409   403s  403s  403s  403i  403s
POST   /v1/games/{id}/decline                    meant     401   403i  403i  403i  200   403i  403s  403i  403i  403s  403s  403s  403i  403s
POST   /v1/games/{id}/decline                    meant*    401   404   404   403i  200   403i  403s  403i  403i  403s  403s  403s  403i  403s
POST   /v1/games/{id}/cancel                     meant     401   403p  403p  200   403p  403p  403s  200   200   403s  403s  403s  403p  403s
POST   /v1/games/{id}/cancel                     meant*    401   404   404   200   403p  403p  403s  200   200   403s  403s  403s  403p  403s
GET    /v1/games/{id}                            active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}                            active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/legal-moves                active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/legal-moves                active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/text                       active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/text                       active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/presence                   active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/presence                   active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/overlay                    active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/overlay                    active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/pgn                        active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/pgn                        active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/board.svg                  active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/board.svg                  active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/board.png                  active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/board.png                  active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/log                        active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/log                        active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/games/{id}/moves                      active    401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/moves                      active*   401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/resign                     active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/resign                     active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/abort                      begun     401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/abort                      begun*    401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-draw                 active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-draw                 active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-draw                draw      401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-draw                draw*     401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/decline-draw               draw      401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/decline-draw               draw*     401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/claim-draw                 active    401   403p  403p  409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/claim-draw                 active*   401   404   404   409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/claim-win                  active    401   403p  403p  409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/claim-win                  active*   401   404   404   409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-takeback             active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-takeback             active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-takeback            takeback  401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-takeback            takeback* 401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/decline-takeback           takeback  401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/decline-takeback           takeback* 401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-pause                active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-pause                active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-pause               pause     401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-pause               pause*    401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/resume                     paused    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/resume                     paused*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/add-time                   active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/add-time                   active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/invite                     active    401   409   409   200   409   409   403s  200   403s  403s  403s  403s  409   403s
POST   /v1/games/{id}/invite                     active*   401   404   404   200   409   409   403s  200   403s  403s  403s  403s  409   403s
POST   /v1/games/{id}/tick                       active    401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s
POST   /v1/games/{id}/tick                       active*   401   404   404   200   200   200   403s  200   403s  403s  403s  403s  200   403s
GET    /v1/games/{id}/conditional-moves          active    401   403p  403p  409   409   403p  409   409   409   409   409   403p  403p  403p
GET    /v1/games/{id}/conditional-moves          active*   401   404   404   409   409   403p  409   409   409   409   409   403p  403p  403p
PUT    /v1/games/{id}/conditional-moves          active    401   403p  403p  409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
PUT    /v1/games/{id}/conditional-moves          active*   401   404   404   409   409   403p  403s  409   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/signals                    active    401   403p  403p  204   204   403p  403s  204   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/signals                    active*   401   404   404   204   204   403p  403s  204   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/analysis                   active    401   409   409   409   409   409   403s  409   403s  403s  403s  403s  409   403s
POST   /v1/games/{id}/analysis                   active*   401   404   404   409   409   409   403s  409   403s  403s  403s  403s  409   403s
GET    /v1/games/{id}/analysis                   active    409   409   409   409   409   409   409   409   409   409   409   409   409   409
GET    /v1/games/{id}/analysis                   active*   404   404   404   409   409   409   409   409   409   409   409   409   409   409
GET    /v1/games/{id}/analysis                   over      404   404   404   404   404   404   404   404   404   404   404   404   404   404
POST   /v1/games/{id}/offer-rematch              over      401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/offer-rematch              over*     401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-rematch             rematch   401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /v1/games/{id}/accept-rematch             rematch*  401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s

#      Talking.                                            none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /v1/games/{id}/chat                       active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/games/{id}/chat                       active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/games/{id}/chat                       active    401   201   201   201   201   201   403s  201   403s  403s  403s  201   201   201
POST   /v1/games/{id}/chat                       active*   401   404   404   201   201   201   403s  201   403s  403s  403s  201   201   201
POST   /v1/games/{id}/chat                       notice    401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  201   201   201
POST   /v1/games/{id}/mute                       active    401   403   403   200   403   403   403s  200   403s  403s  403s  200   200   200
POST   /v1/games/{id}/mute                       active*   401   404   404   200   403   403   403s  200   403s  403s  403s  200   200   200
POST   /v1/games/{id}/mute                       player    401   403   403   409   403   403   403s  409   403s  403s  403s  200   200   200
POST   /v1/games/{id}/remove                     active    401   403   403   200   403   403   403s  200   403s  403s  403s  200   200   200
POST   /v1/games/{id}/remove                     active*   401   404   404   200   403   403   403s  200   403s  403s  403s  200   200   200

#      Matches of guests: who may what is a matter of the guest's id, not of a token.
POST   /v1/matches                               -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/matches/join                          -         404   404   404   404   404   404   404   404   404   404   404   404   404   404
GET    /v1/matches/rooms                         -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /v1/matches/{matchID}                     -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
POST   /v1/matches/{matchID}/actions             -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
POST   /v1/matches/{matchID}/actions             guest     404   404   404   404   404   404   404   404   404   404   404   404   404   404
GET    /v1/matches/{matchID}/live                -         400   400   400   400   400   400   400   400   400   400   400   400   400   400
GET    /v1/matches/{matchID}/events              -         400   400   400   400   400   400   400   400   400   400   400   400   400   400

#      live-game-api: everybody needs a token.             none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /live/health                              -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /live/v1/games                            -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
POST   /live/v1/games/bot                        -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
GET    /live/v1/games/{game_id}                  active    401   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /live/v1/games/{game_id}                  active*   401   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /live/v1/games/{game_id}/ws               active    401   426   426   426   426   426   426   426   426   426   426   426   426   426
GET    /live/v1/games/{game_id}/ws               active*   401   404   404   426   426   426   426   426   426   426   426   426   426   426
POST   /live/v1/games/{game_id}/join             open      401   200   200   409   200   200   403s  409   409   403s  403s  403s  200   403s
POST   /live/v1/games/{game_id}/join             open*     401   404   404   409   404   200   403s  409   409   403s  403s  403s  403i  403s
POST   /live/v1/games/{game_id}/join             meant     401   403i  403i  409   200   403i  403s  409   409   403s  403s  403s  403i  403s
POST   /live/v1/games/{game_id}/join             meant*    401   404   404   409   200   403i  403s  409   409   403s  403s  403s  403i  403s
POST   /live/v1/games/{game_id}/moves            active    401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/moves            active*   401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/resign           active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/resign           active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/offer-draw       active    401   403p  403p  200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/offer-draw       active*   401   404   404   200   200   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/accept-draw      draw      401   403p  403p  200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/accept-draw      draw*     401   404   404   200   409   403p  403s  200   403s  403s  403s  403s  403p  403s
POST   /live/v1/games/{game_id}/tick             active    401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s
POST   /live/v1/games/{game_id}/tick             active*   401   404   404   200   200   200   403s  200   403s  403s  403s  403s  200   403s
POST   /live/internal/games/{game_id}/finalize   over*     401   403s  403s  403s  403s  403s  403s  403s  403s  403s  200   403s  200   403s
GET    /live/internal/events                     -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  200   403s  200   403s

#      Operators; import and backup only at the console.           none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /v1/admin/games/{id}                      active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/games/{id}/pause                active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/games/{id}/resume               paused*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/games/{id}/clock                active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/games/{id}/result               active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/games/{id}/abort                active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/matches/{id}/abort              active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
POST   /v1/admin/accounts                        -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  201   201   201
POST   /v1/admin/accounts/{name}/password        -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
POST   /v1/admin/accounts/{name}/title           -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
POST   /v1/admin/accounts/{name}/rights          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
POST   /v1/admin/accounts/{name}/close           -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
POST   /v1/admin/accounts/{name}/bar             -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
POST   /v1/admin/accounts/{name}/unbar           -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
POST   /v1/admin/identities/block                -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
POST   /v1/admin/identities/unblock              -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
GET    /v1/admin/identities/blocked              -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/accounts/{name}/tokens          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  201   201   201
GET    /v1/admin/accounts/{name}/tokens          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
DELETE /v1/admin/accounts/{name}/tokens/{id}     -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
GET    /v1/admin/games/{id}/signals              active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/reports                         -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/reports/{id}/decide             -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
DELETE /v1/admin/accounts/{name}/sanctions/{kind} -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
GET    /v1/setup                                 -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /v1/setup                                 -         409   409   409   409   409   409   409   409   409   409   409   409   409   409
POST   /v1/admin/sessions                        -         403   403   403   403   403   403   403   403   403   403   403   403   403   403
GET    /v1/admin/figures                         -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/accounts                        -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/accounts/{name}                 -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
PUT    /v1/admin/accounts/{name}/sanctions/{kind} -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  204   204   204
GET    /v1/admin/games                           active*   401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/webhooks                        -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
DELETE /v1/admin/webhooks/{id}                   -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
GET    /v1/admin/webhooks/{id}/deliveries        -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
POST   /v1/admin/webhooks/{id}/deliveries/{delivery}/redeliver -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  404   404   404
POST   /v1/admin/import/pgn                      -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/audit                           -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/check                           -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
GET    /v1/admin/export                          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200   200   200
POST   /v1/admin/import                          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  400
POST   /v1/admin/backup                          -         401   403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  403s  200

#      The Lichess door: looking, and seeks.               none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
GET    /game/export/{id}                         active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /game/export/{id}                         active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
GET    /api/games/user/{name}                    -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/games/export/_ids                    active*   200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/user/{name}/current-game             -         404   404   404   404   404   404   404   404   404   404   404   404   404   404
GET    /api/user/{name}                          -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/users                                -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/users/status                         -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/bot/online                           -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/stream/game/{id}                     active    200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/stream/game/{id}                     active*   404   404   404   200   200   200   200   200   200   200   200   200   200   200
POST   /api/stream/games-by-users                -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/stream/games/{sid}                   active*   200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/stream/games/{sid}/add               -         404   404   404   404   404   404   404   404   404   404   404   404   404   404
GET    /api/tv/channels                          -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/tv/feed                              -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/tv/{channel}/feed                    -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/tv/{channel}                         -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/board/seek                           -         401   200   200   200   200   200   403s  200   403s  403s  403s  403s  200   403s

#      The Lichess door: playing.                          none  guest stran playr oppon invit read  play  chall bot   servi admin all   cons
POST   /api/token/test                           -         200   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/account                              -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
GET    /api/account/playing                      -         401   200   200   200   200   200   200   200   200   200   200   200   200   200
POST   /api/bot/account/upgrade                  -         401   400   200   200   200   200   403s  403s  403s  200   403s  403s  200   403s
GET    /api/stream/event                         -         401   200   200   200   200   200   200   200   200   200   403s  403s  200   403s
GET    /api/board/game/stream/{id}               active    401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
GET    /api/bot/game/stream/{id}                 active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
GET    /api/board/game/stream/{id}               active*   401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/board/game/{id}/move/{uci}           active    401   404   404   200   400   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/move/{uci}             active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/move/{uci}           active*   401   404   404   200   400   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/board/game/{id}/abort                begun     401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/abort                  begun     401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/resign               active    401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/resign                 active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/draw/{accept}        draw      401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/draw/{accept}          draw      401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/takeback/{accept}    takeback  401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/takeback/{accept}      takeback  401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/claim-victory        active    401   404   404   400   400   404   403s  400   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/claim-victory          active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/claim-draw           active    401   404   404   400   400   404   403s  400   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/claim-draw             active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/chat                 active    401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
POST   /api/bot/game/{id}/chat                   active    401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/chat                 active*   401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
GET    /api/board/game/{id}/chat                 active*   401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
GET    /api/bot/game/{id}/chat                   active*   401   400   400   400   400   400   403s  403s  403s  400   403s  403s  400   403s
POST   /api/board/game/{id}/berserk              active    401   404   404   400   400   404   403s  400   403s  403s  403s  403s  404   403s
POST   /api/round/{id}/add-time/{seconds}        active    401   404   404   200   200   404   403s  200   403s  403s  403s  403s  404   403s
GET    /api/challenge                            -         401   200   200   200   200   200   200   200   200   200   403s  403s  200   403s
POST   /api/challenge/{name}                     -         401   200   200   200   200   200   403s  200   200   403s  403s  403s  200   403s
POST   /api/challenge/ai                         -         401   201   201   201   201   201   403s  201   201   403s  403s  403s  201   403s
POST   /api/challenge/open                       -         401   200   200   200   200   200   403s  200   200   403s  403s  403s  200   403s
GET    /api/challenge/{id}/show                  meant     401   404   404   200   200   404   200   200   200   200   403s  403s  404   403s
GET    /api/challenge/{id}/show                  meant*    401   404   404   200   200   404   200   200   200   200   403s  403s  404   403s
POST   /api/challenge/{id}/accept                meant     401   404   404   404   200   404   403s  404   404   403s  403s  403s  404   403s
POST   /api/challenge/{id}/accept                open      401   200   200   200   200   200   403s  200   200   403s  403s  403s  200   403s
POST   /api/challenge/{id}/decline               meant     401   404   404   404   200   404   403s  404   404   403s  403s  403s  404   403s
POST   /api/challenge/{id}/cancel                meant     401   404   404   200   200   404   403s  200   200   403s  403s  403s  404   403s
";
