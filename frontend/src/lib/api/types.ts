// The names that the page uses for the shapes of the API. The shapes themselves are generated (schema.d.ts, `npm run
// types`); nothing is typed here a second time.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Answer = Schemas['Answer'];
export type RunEvent = Schemas['Event'];
export type SessionDocument = Schemas['Document'];
export type Workspace = Schemas['WorkspaceView'];
export type SessionHead = Schemas['SessionHead'];
export type Upload = Schemas['UploadedFile'];
export type ImportProgress = Schemas['ImportProgress'];
export type Imported = Schemas['ImportDone'];

export type Turn = SessionDocument['turns'][number];
export type Step = Turn['trace'][number];
export type Frame = NonNullable<Answer['frame']>;
export type Column = Frame['columns'][number];
export type MetricCard = NonNullable<Answer['metric_card']>;
export type Chart = NonNullable<Answer['chart']>;
export type View = Schemas['View'];
export type ChartEdit = Schemas['ChartEdit'];
export type Marked = Schemas['Marked'];
export type NextQuestion = Schemas['NextQuestion'];
export type Narration = NonNullable<Answer['narration']>;
export type Fact = Schemas['Fact'];
export type Citation = Narration['citations'][number];
export type Understood = NonNullable<Answer['understood']>;
export type ReadSpan = Understood['spans'][number];
export type Completion = Schemas['Completion'];
export type Part = Understood['carried'][number];
export type Clarification = NonNullable<Answer['clarification']>;
export type Choice = Clarification['options'][number];
export type Refusal = NonNullable<Answer['refusal']>;
export type Explanation = NonNullable<Answer['explanation']>;
export type Followup = Answer['followups'][number];
export type Check = NonNullable<Answer['verification']>['checks'][number];
export type Finding = Answer['findings'][number];
export type Risk = NonNullable<Answer['risk']>;
export type PlanCost = NonNullable<Answer['plan']>;
export type Standing = Schemas['Standing'];
export type InboxNotice = Schemas['StoredNotice'];
export type SettingsView = Schemas['SettingsView'];
export type Settings = SettingsView['settings'];
export type Diagnostics = Schemas['Diagnostics'];
export type Source = Workspace['sources'][number];
export type ResultSet = Schemas['ResultSet'];
export type ResultCell = Schemas['ResultCell'];
export type ResultSums = Schemas['ResultSums'];
export type ResultView = Pick<Schemas['ViewResultRequest'], 'sort' | 'filters' | 'search'>;
export type QueryCheck = Schemas['QueryCheck'];
export type QueryCompletions = Schemas['QueryCompletions'];
export type QueryLanguage = Schemas['QueryText']['language'];
export type Diagnostic = Schemas['Diagnostic'];
export type WrittenQuery = Schemas['Written'];
